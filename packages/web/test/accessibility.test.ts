import { launchChromium, requirePart } from "@baton/testkit";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { violationsOf } from "./support/axe";
import { ADA, type ChatPage, newChatPage } from "./support/chat-page";
import { startWeb, type WebServer } from "./support/web-server";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });
const PATIENT = { timeout: 30_000, interval: 100 };

const LOOKS: [string, BrowserContextOptions][] = [
	["light", { colorScheme: "light", viewport: { width: 1360, height: 860 } }],
	["dark", { colorScheme: "dark", viewport: { width: 1360, height: 860 } }],
	["narrow", { colorScheme: "light", viewport: { width: 390, height: 844 } }],
];

describe.skipIf(!requirePart("chromium"))("the playground, for everyone", () => {
	let server: WebServer;
	let browser: Browser;
	let chat: ChatPage;
	beforeAll(async () => {
		[server, browser] = await Promise.all([startWeb(), launchChromium()]);
	});
	afterEach(() => chat.page.context().close());
	afterAll(async () => {
		await browser?.close();
		await server?.stop();
	});
	const open = async (options: BrowserContextOptions, url = server.url) => {
		// axe is put into the page by the test; the page itself would not load it.
		const context = await browser.newContext({ ...options, bypassCSP: true });
		chat = await (await newChatPage(context)).open(url);
		return chat;
	};

	it.each(LOOKS)("has no axe violation in its main states: %s", async (look, options) => {
		await open(options);
		await chat.picture(`${look}-1-empty`);
		expect(await violationsOf(chat.page)).toEqual([]);
		await chat.say(ADA);
		await chat.button("Approve").waitFor();
		await chat.picture(`${look}-2-approval`);
		expect(await violationsOf(chat.page)).toEqual([]);
		await chat.button("Approve").click();
		await chat.saidUntil((text) => text.includes("I did 4 of 4 steps"));
		await chat.settled();
		await chat.page.getByRole("button", { name: "Earlier chats" }).click();
		await chat.picture(`${look}-3-sent`);
		expect(await violationsOf(chat.page)).toEqual([]);
		await chat.page.keyboard.press("Escape");
		await chat.say("/fail the engine jammed");
		await chat.page.locator(".failure").waitFor();
		await chat.page.getByRole("button", { name: "Start again" }).click();
		await chat.page.getByRole("button", { name: "Submit application" }).click();
		await chat.picture(`${look}-4-failed-and-invalid`);
		expect(await violationsOf(chat.page)).toEqual([]);
	});

	it("has no axe violation where there is no page", async () => {
		const context = await browser.newContext({ bypassCSP: true });
		chat = await newChatPage(context);
		await chat.page.goto(`${server.url}/nowhere`);
		expect(await violationsOf(chat.page)).toEqual([]);
	});

	it("can be used with the keyboard alone", async () => {
		await open({});
		const { keyboard } = chat.page;
		await keyboard.press("Tab");
		expect(await chat.page.evaluate(() => document.activeElement?.textContent)).toBe(
			"Skip to the conversation",
		);
		await keyboard.press("Enter");
		await chat.page.getByRole("textbox", { name: "Message" }).focus();
		await keyboard.type(ADA);
		await keyboard.press("Shift+Enter");
		await keyboard.type("Thank you");
		await keyboard.press("Enter");
		// The question takes the focus: its first button is the next stop.
		await chat.page.locator('[role="alertdialog"]:focus').waitFor();
		await keyboard.press("Tab");
		await keyboard.press("Enter");
		await chat.saidUntil((text) => text.includes("I did 4 of 4 steps"));
	});

	it("announces a reply when it is whole, and questions at once", async () => {
		await open({});
		const status = chat.page.locator('.conversation > [role="status"]').last();
		await chat.say(ADA);
		await expect
			.poll(() => status.textContent(), PATIENT)
			.toBe("The agent asks for your approval.");
		await chat.button("Approve").click();
		await expect.poll(() => status.textContent(), PATIENT).toContain("I did 4 of 4 steps");
	});

	it("does not move while a text is streamed", async () => {
		await open({ viewport: { width: 1360, height: 860 } });
		await chat.page.evaluate(() => {
			const shifts: number[] = [];
			Object.assign(window, { shifts });
			new PerformanceObserver((list) => {
				for (const entry of list.getEntries())
					shifts.push((entry as never as { value: number }).value);
			}).observe({ type: "layout-shift", buffered: false });
		});
		const box = chat.page.getByRole("textbox", { name: "Message" });
		const before = await box.boundingBox();
		await chat.say("/stream 200 words every 5ms");
		await chat.saidUntil((text) => text.includes("w200"));
		await chat.settled();
		expect(await box.boundingBox()).toEqual(before);
		const shifts = await chat.page.evaluate(() => (window as never as { shifts: number[] }).shifts);
		expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
	});
});
