import type { Page } from "playwright-core";
import { expect } from "vitest";

const PATIENT = { timeout: 30_000, interval: 50 };

/** What a person does with the console, and sees of it. */
export class ConsolePage {
	readonly page: Page;
	/** What the page complained about. */
	readonly problems: string[] = [];

	constructor(page: Page) {
		this.page = page;
		page.on("pageerror", (error) => this.problems.push(error.message));
	}

	/** Opens the list and waits until it is live. */
	async openList(url: string, query = ""): Promise<void> {
		await this.page.goto(`${url}/sessions${query}`);
		await this.page.locator('.live-sign[data-link="live"]').waitFor({ state: "attached" });
	}

	/** Opens a session and waits until it is live. */
	async openSession(url: string, id: string): Promise<void> {
		await this.page.goto(`${url}/sessions/${id}`);
		await this.live();
	}

	async live(): Promise<void> {
		await this.page.locator('.verdict .live-sign[data-link="live"]').waitFor({ state: "attached" });
	}

	session(title: string | RegExp) {
		return this.page.getByRole("link", { name: title });
	}

	/** The titles of the sessions that are drawn. */
	titles(): Promise<string[]> {
		return this.page.locator(".session-title").allInnerTexts();
	}

	async titlesUntil(expected: string[]): Promise<void> {
		await expect.poll(() => this.titles(), PATIENT).toEqual(expected);
	}

	/** How many elements the page has. */
	nodes(): Promise<number> {
		return this.page.evaluate(() => document.querySelectorAll("*").length);
	}

	event(seq: number) {
		return this.page.locator(`#event-${seq}`);
	}

	/** Waits for the number of the last event that the page has. */
	async lastUntil(fits: (seq: number) => boolean): Promise<void> {
		const slider = this.page.getByRole("slider");
		await expect
			.poll(async () => fits(Number(await slider.getAttribute("max"))), PATIENT)
			.toBe(true);
	}

	async verdictUntil(words: string | RegExp): Promise<void> {
		await this.page.locator(".loss-check", { hasText: words }).waitFor({ timeout: 30_000 });
	}

	async scrubTo(seq: number): Promise<void> {
		await this.page.getByRole("slider", { name: "Moment in the log" }).fill(`${seq}`);
		await this.event(seq).locator(".event-title").waitFor();
	}

	/** How the session stood at the moment that is shown, and what had been said by then. */
	async moment(): Promise<{ state: string; text: string }> {
		const box = this.page.getByRole("region", { name: "The moment" });
		const state = await box.locator(".badge").textContent();
		const text = await box.getByRole("region", { name: "Text so far" }).textContent();
		return { state: state ?? "", text: text?.trim() ?? "" };
	}

	/** The numbers of all events, by going through the list from its beginning to its end. */
	async allSeqs(): Promise<number[]> {
		const rows = this.page.getByRole("listbox", { name: "Events" });
		const seen: number[] = [];
		const drawn = () =>
			this.page
				.locator(".event-line")
				.evaluateAll((lines) => lines.map((line) => Number((line as HTMLElement).dataset.seq)));
		for (let top = 0; ; top += 600) {
			const isEnd = await rows.evaluate(async (box, to) => {
				box.scrollTop = to;
				await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
				return box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
			}, top);
			const now = await drawn();
			expect(new Set(now).size).toBe(now.length);
			seen.push(...now.filter((seq) => !seen.includes(seq)));
			if (isEnd) return seen;
		}
	}
}
