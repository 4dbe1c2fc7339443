import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { keepPicture } from "./picture";

export const ADA = "I am Ada Lovelace, ada@example.org, start in March";

/** What a person does with the playground, and sees of it. */
export class ChatPage {
	readonly page: Page;
	/** What the page complained about. */
	readonly problems: string[] = [];

	constructor(page: Page) {
		this.page = page;
		page.on("pageerror", (error) => this.problems.push(error.message));
		page.on("console", (message) => {
			// A connection that is cut on purpose is told of by the browser itself.
			const isNetwork = /net::ERR|Failed to load resource/.test(message.text());
			if (message.type() === "error" && !isNetwork) this.problems.push(message.text());
		});
	}

	/** Opens the page and waits until it can be used. */
	async open(url: string): Promise<this> {
		await this.page.goto(url);
		await this.ready();
		return this;
	}

	async ready(): Promise<void> {
		await this.page.locator("form.sheet[data-ready]").waitFor();
	}

	async say(text: string): Promise<void> {
		await this.page.getByRole("textbox", { name: "Message" }).fill(text);
		await this.page.getByRole("button", { name: "Send", exact: true }).click();
	}

	/** What the agent has said, all of it, in order. */
	async said(): Promise<string> {
		const texts = await this.page.locator(".message.assistant .markdown").allInnerTexts();
		return texts.join("\n");
	}

	async saidUntil(fits: (text: string) => boolean, timeout = 30_000): Promise<string> {
		await expect.poll(async () => fits(await this.said()), { timeout, interval: 50 }).toBe(true);
		return this.said();
	}

	/** Waits until nothing runs any more. */
	async settled(timeout = 30_000): Promise<void> {
		await this.page
			.locator('.conversation[aria-busy="false"]')
			.waitFor({ state: "attached", timeout });
		await this.page.getByRole("button", { name: "Send", exact: true }).waitFor({ timeout });
	}

	button(name: string) {
		return this.page.getByRole("button", { name, exact: true });
	}

	field(label: string) {
		return this.page.locator("form.sheet").getByLabel(label);
	}

	/** The three fields that Ada's message is about. */
	async filled(): Promise<string[]> {
		const labels = ["Full name", "Email", "Earliest start"];
		return Promise.all(labels.map((label) => this.field(label).inputValue()));
	}

	/** The titles of the steps that are shown. */
	steps(): Promise<string[]> {
		return this.page.locator(".step-title").allInnerTexts();
	}

	picture(name: string): Promise<void> {
		return keepPicture(this.page, name);
	}
}

export async function newChatPage(from: Browser | BrowserContext): Promise<ChatPage> {
	return new ChatPage(await from.newPage());
}

/** Numbers from 1 on, as the demo agent counts. */
export function counted(to: number): string {
	return Array.from({ length: to }, (_, index) => index + 1).join(" ");
}
