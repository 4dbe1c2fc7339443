import { launchChromium, requirePart } from "@baton/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ADA, type ChatPage, counted, newChatPage } from "./support/chat-page";
import { type Network, openNetwork } from "./support/network";
import { startWeb, type WebServer } from "./support/web-server";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });
const PATIENT = { timeout: 30_000, interval: 100 };

/** How long the network is away, in the short and the full form. */
const CUT_MS = process.env.BATON_FULL ? 10_000 : 3_000;
const COUNT = "count to 300 every 15ms";
const NUMBERS = counted(300);

const hasBegun = (text: string) => text.includes("1 2 3 4 5");
const isWhole = (text: string) => text.trim() === NUMBERS;

describe.skipIf(!requirePart("chromium"))("the playground, interrupted", () => {
	let server: WebServer;
	let browser: Browser;
	const pages: ChatPage[] = [];
	beforeAll(async () => {
		[server, browser] = await Promise.all([startWeb(), launchChromium()]);
	});
	afterEach(async () => {
		for (const chat of pages.splice(0)) {
			expect(chat.problems).toEqual([]);
			await chat.page.context().close();
		}
	});
	afterAll(async () => {
		await browser?.close();
		await server?.stop();
	});

	/** A page of a browser of its own. */
	async function open(url = server.url): Promise<ChatPage> {
		const chat = await newChatPage(await browser.newContext());
		pages.push(chat);
		return chat.open(url);
	}

	/** The conversation is whole: each message once, the reply as the agent said it. */
	async function expectWhole(chat: ChatPage): Promise<void> {
		await chat.saidUntil(isWhole);
		await chat.settled();
		expect(isWhole(await chat.said())).toBe(true);
		expect(await chat.page.locator(".message.user").count()).toBe(1);
		expect(await chat.page.locator(".message.assistant").count()).toBe(1);
	}

	it("reloaded in the middle of a text, shows the rest of it too", async () => {
		const chat = await open();
		await chat.say(COUNT);
		await chat.saidUntil(hasBegun);
		await chat.page.reload();
		await chat.ready();
		await expectWhole(chat);
	});

	it("reloaded again and again, shows the text once", async () => {
		const chat = await open();
		await chat.say(COUNT);
		for (const seen of ["3", "60", "120", "180"]) {
			await chat.saidUntil((text) => text.split(" ").includes(seen));
			await chat.page.reload();
			await chat.ready();
		}
		await expectWhole(chat);
	});

	it.each([
		["before its message has left", "held"],
		["before it knew that its message had arrived", "swallowed"],
	])("reloaded %s, shows it and its reply, once", async (_, how) => {
		const chat = await open();
		let isAway = () => {};
		const away = new Promise<void>((resolve) => {
			isAway = resolve;
		});
		let isFirst = true;
		await chat.page.route("**/api/chat", async (route) => {
			if (!isFirst) return route.continue();
			isFirst = false;
			// Never answered: the page is gone before.
			if (how === "swallowed") await route.fetch();
			isAway();
		});
		await chat.say("count to 30");
		await away;
		await chat.page.reload();
		await chat.ready();
		await chat.saidUntil((text) => text.trim() === counted(30));
		await chat.settled();
		expect(await chat.page.locator(".message.user").allInnerTexts()).toEqual([
			expect.stringContaining("count to 30"),
		]);
		expect(await chat.page.locator(".message.assistant").count()).toBe(1);
		await chat.page.reload();
		await chat.ready();
		await chat.saidUntil((text) => text.trim() === counted(30));
		expect(await chat.page.locator(".message.user").count()).toBe(1);
	});

	it("reloaded while a tool is pending, runs it then", async () => {
		const chat = await open();
		// The page is gone before it can do what the agent asks.
		await chat.page.route("**/claim", (route) => route.abort());
		await chat.say(ADA);
		await chat.page.getByText("Reading the form").waitFor();
		await chat.page.unroute("**/claim");
		await chat.page.reload();
		await chat.ready();
		await chat.button("Approve").click();
		await chat.saidUntil((text) => text.includes("I did 4 of 4 steps"));
		expect(await chat.filled()).toEqual(["Ada Lovelace", "ada@example.org", "2027-03"]);
		expect(await chat.steps()).toHaveLength(3);
	});

	it("reloaded while the person is asked, asks again, and sends once when they agree", async () => {
		const chat = await open();
		await chat.say(ADA);
		await chat.button("Approve").waitFor();
		await chat.page.reload();
		await chat.ready();
		await chat.button("Approve").waitFor();
		expect(await chat.page.locator("form.sheet[data-sent]").count()).toBe(0);
		await chat.button("Approve").click();
		await chat.saidUntil((said) => said.includes("I did 4 of 4 steps"));
		await chat.settled();
		const text = await chat.said();
		expect(text).toContain("pressed “Submit application”");
		await chat.settled();
		expect(await chat.page.locator("form.sheet[data-sent]").count()).toBe(1);
		expect(await chat.steps()).toHaveLength(3);
	});

	it("posts a tool's result twice, and it counts once", async () => {
		const chat = await open();
		const bodies: string[] = [];
		await chat.page.route("**/api/chat", async (route) => {
			const body = route.request().postData() ?? "";
			bodies.push(body);
			await route.continue();
		});
		await chat.say(ADA);
		await chat.button("Approve").waitFor();
		const result = bodies.find((body) => body.includes('"fields"')) ?? "";
		const again = await chat.page.evaluate(async (body) => {
			const headers = { "Content-Type": "application/json" };
			// The turn waits for the person, so only the beginning is read.
			const stop = AbortSignal.timeout(3_000);
			const answer = await fetch("/api/chat", { method: "POST", headers, body, signal: stop });
			const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
			let text = "";
			while (!text.includes('"finish"')) {
				const { done, value } = await reader.read();
				if (done) break;
				text += value;
			}
			return text;
		}, result);
		expect(again).toContain("executeFormActions");
		await chat.button("Approve").click();
		await chat.saidUntil((text) => text.includes("I did 4 of 4 steps"));
		await chat.settled();
		expect(await chat.steps()).toHaveLength(3);
	});

	it("in two tabs, runs each action in one of them and shows all in both", async () => {
		const first = await open();
		await first.say(ADA);
		await first.button("Approve").waitFor();
		const second = await newChatPage(first.page.context());
		await second.open(first.page.url());
		await expect.poll(() => second.steps(), PATIENT).toHaveLength(3);
		expect(await second.page.getByRole("alertdialog").count()).toBe(0);
		expect(await second.filled()).toEqual(["", "", ""]);

		await first.button("Approve").click();

		for (const chat of [first, second]) {
			await chat.saidUntil((text) => text.includes("I did 4 of 4 steps"));
			await chat.settled();
			expect(await chat.steps()).toHaveLength(3);
			expect(await chat.page.locator(".message.user").count()).toBe(1);
		}
		expect(second.problems).toEqual([]);
		// What one says, the other shows.
		await second.say("count to 12");
		await first.saidUntil((text) => text.includes(counted(12)));
	});

	it("in two tabs, says that the agent is thinking for as long as it does", async () => {
		const first = await open();
		await first.say("count to 2");
		await first.saidUntil((text) => text.includes(counted(2)));
		await first.settled();
		const second = await newChatPage(first.page.context());
		await second.open(first.page.url());
		await second.saidUntil((text) => text.includes(counted(2)));

		await first.say("/wait 4s");

		// The other tab learns of it from the first, which has heard from the server by then.
		await second.page.locator(".message.user", { hasText: "/wait" }).waitFor();
		for (const { page } of [second, first]) {
			await page.getByText("The agent is thinking").waitFor({ state: "attached" });
		}
		for (const chat of [first, second]) {
			await chat.saidUntil((text) => text.includes("waited"));
			expect(await chat.page.getByText("The agent is thinking").count()).toBe(0);
		}
	});

	it("in two browsers, runs each action in one of them", async () => {
		const first = await open();
		await first.say(ADA);
		await first.button("Approve").waitFor();
		const second = await open(first.page.url());
		await expect.poll(() => second.steps(), PATIENT).toHaveLength(3);
		await first.button("Approve").click();
		await second.saidUntil((text) => text.includes("I did 4 of 4 steps"));
		expect(await second.page.getByRole("alertdialog").count()).toBe(0);
		expect(await second.filled()).toEqual(["", "", ""]);
	});

	describe("over a network that can be cut", () => {
		let network: Network;
		beforeAll(async () => {
			network = await openNetwork(server.url);
		});
		afterAll(() => network?.close());

		it(`goes on after ${CUT_MS / 1_000} s without it, and says that it was away`, async () => {
			const chat = await open(network.url);
			await chat.say("count to 300 every 30ms");
			await chat.saidUntil(hasBegun);
			network.cut();
			await chat.page.getByText("Connection lost.").waitFor();
			await new Promise((resolve) => setTimeout(resolve, CUT_MS));
			network.restore();
			await chat.page.getByText("Connected again.").waitFor();
			await expectWhole(chat);
		});

		it("sends a message that did not arrive, once", async () => {
			const chat = await open(network.url);
			network.cut();
			await chat.say(COUNT);
			await chat.page.getByText("Connection lost.").waitFor();
			network.restore();
			await expectWhole(chat);
		});

		it("brings what the page did to the agent, though the network was away", async () => {
			const chat = await open(network.url);
			await chat.say(ADA);
			await chat.button("Approve").waitFor();
			network.cut();
			await chat.button("Approve").click();
			await chat.page.getByText("Connection lost.").waitFor();
			network.restore();
			await chat.saidUntil((text) => text.includes("I did 4 of 4 steps"));
			await chat.settled();
			expect(await chat.steps()).toHaveLength(3);
		});
	});
});

describe.skipIf(!requirePart("chromium"))("the playground, when its server is killed", () => {
	let browser: Browser;
	let server: WebServer;
	beforeAll(async () => {
		[server, browser] = await Promise.all([startWeb(), launchChromium()]);
	});
	afterAll(async () => {
		await browser?.close();
		await server?.stop();
	});
	const shown = (page: Page) => page.locator(".message.assistant").count();

	it("in the middle of a text, goes on after the next start, with each word once", async () => {
		const chat = await (await newChatPage(browser)).open(server.url);
		await chat.say("count to 300 every 30ms");
		await chat.saidUntil(hasBegun);
		await server.kill();
		await chat.page.getByText("Connection lost.").waitFor();
		expect(hasBegun(await chat.said())).toBe(true);
		await server.restart();
		await chat.page.getByText("Connected again.").waitFor();
		expect(isWhole(await chat.said())).toBe(false);
		await chat.saidUntil(isWhole, 60_000);
		await chat.settled();
		expect(isWhole(await chat.said())).toBe(true);
		expect(await shown(chat.page)).toBe(1);
		expect(chat.problems).toEqual([]);
	}, 180_000);

	it("while the person is asked, goes on after the next start, and sends once", async () => {
		const chat = await (await newChatPage(browser)).open(server.url);
		await chat.say(ADA);
		await chat.button("Approve").waitFor();
		await chat.page.evaluate(countSubmits);
		await server.kill();
		await server.restart();
		// By then the question that stands in the page is nobody's any more.
		await expect.poll(() => chat.page.evaluate(wasAskedAnew), { timeout: 30_000 }).toBe(true);
		// The agent asks anew after its server was lost; whichever question is open is answered.
		await expect
			.poll(
				async () => {
					const approve = chat.button("Approve");
					if ((await approve.count()) > 0) await approve.first().click();
					return chat.said();
				},
				{ timeout: 60_000, interval: 300 },
			)
			.toMatch(/I did \d of \d steps?:/);
		await chat.settled();
		expect(await chat.filled()).toEqual(["Ada Lovelace", "ada@example.org", "2027-03"]);
		expect(await chat.page.locator("form.sheet[data-sent]").count()).toBe(1);
		expect(await chat.page.evaluate("submits")).toBe(1);
		expect(await shown(chat.page)).toBe(1);
	}, 180_000);
});

/** Runs in the page. */
function countSubmits(): void {
	const counted = globalThis as { submits?: number };
	counted.submits = 0;
	addEventListener("submit", () => counted.submits!++, { capture: true });
}

/** Runs in the page: whether the server has closed what was asked before it was killed. */
async function wasAskedAnew(): Promise<boolean> {
	const read = async (path: string) => (await fetch(`/api/sessions${path}`)).json();
	const { sessions } = await read("");
	const { events } = await read(`/${sessions[0].id}/events`);
	return events.some((event: { reason?: string }) => event.reason === "recovered");
}
