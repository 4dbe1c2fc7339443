import { launchChromium, requirePart } from "@baton/testkit";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ADA, type ChatPage, counted, newChatPage } from "./support/chat-page";
import { startWeb, type WebServer } from "./support/web-server";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describe.skipIf(!requirePart("chromium"))("the playground, with the demo agent", () => {
	let server: WebServer;
	let browser: Browser;
	let chat: ChatPage;
	beforeAll(async () => {
		[server, browser] = await Promise.all([startWeb(), launchChromium()]);
	});
	beforeEach(async () => {
		chat = await (await newChatPage(browser)).open(server.url);
	});
	afterEach(async () => {
		expect(chat.problems).toEqual([]);
		await chat.page.close();
	});
	afterAll(async () => {
		await browser?.close();
		await server?.stop();
	});

	it("fills the form, asks before it sends it, and says what it did", async () => {
		await chat.say(ADA);
		const card = chat.page.getByRole("alertdialog");
		await card.waitFor();
		expect(await chat.filled()).toEqual(["Ada Lovelace", "ada@example.org", "2027-03"]);
		expect(await card.textContent()).toContain("Ada Lovelace");
		expect(await chat.page.locator("form.sheet[data-sent]").count()).toBe(0);
		expect(await chat.page.locator('[data-field="email"][data-filled]').count()).toBe(1);

		await chat.button("Approve").click();

		await chat.saidUntil((said) => said.includes("I did 4 of 4 steps"));
		await chat.settled();
		const text = await chat.said();
		expect(text).toContain("pressed “Submit application”");
		await chat.page.getByText("Application sent. Thank you, Ada Lovelace.").waitFor();
		await chat.settled();
		expect(await chat.steps()).toEqual([
			expect.stringMatching(/^Read the form · \d+ fields$/),
			"Filled in 3 fields",
			"Pressed “Submit application”",
		]);
		// The whole of it again, from the server.
		await chat.page.reload();
		await chat.ready();
		expect(await chat.saidUntil((said) => said.includes("I did 4 of 4"))).toBe(text);
		expect(await chat.steps()).toHaveLength(3);
	});

	it("tells the agent when the person says no", async () => {
		await chat.say(ADA);
		await chat.button("Don’t send").click();
		await chat.saidUntil((said) => said.includes("I did 3 of 4 steps"));
		await chat.settled();
		const text = await chat.said();
		expect(text).toContain("not “Submit application”: The person said no.");
		expect(await chat.page.locator("form.sheet[data-sent]").count()).toBe(0);
	});

	it("tells the agent when the page fails", async () => {
		await chat.page.evaluate(() => {
			navigator.locks.request = () => Promise.reject(new Error("This page is broken."));
		});
		await chat.say(ADA);
		await chat.saidUntil((said) => said.includes("The page did not do it"));
		await chat.settled();
		const text = await chat.said();
		expect(text).toContain("This page is broken.");
		await chat.settled();
	});

	it("stops the agent", async () => {
		await chat.say("count to 2000 every 20ms");
		await chat.saidUntil((said) => said.startsWith("1 2 3"));
		await chat.button("Stop").click();
		await chat.settled();
		const text = await chat.said();
		await chat.page.getByText("Stopped.").waitFor();
		const id = new URL(chat.page.url()).searchParams.get("chat");
		const { isRunning } = await (await fetch(`${server.url}/api/chat/${id}`)).json();
		expect(isRunning).toBe(false);
		expect(counted(2000).startsWith(text.trim())).toBe(true);
		await chat.say("What is my name?");
		await chat.saidUntil((said) => said.includes("You have not told me your name yet."));
	});

	it("stops an agent that waits for the person, too", async () => {
		await chat.say(ADA);
		await chat.button("Approve").waitFor();
		await chat.button("Stop").click();
		await chat.settled();
		expect(await chat.page.getByRole("alertdialog").count()).toBe(0);
		expect(await chat.page.locator("form.sheet[data-sent]").count()).toBe(0);
	});

	it("says why a turn failed, and does it again on request", async () => {
		await chat.say("/fail the engine jammed");
		await chat.page.getByRole("alert").getByText("the engine jammed").waitFor();
		await chat.page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
		await chat.page.getByRole("alert").getByText("the engine jammed").waitFor();
		expect(await chat.page.locator(".message.user").count()).toBe(1);
		await chat.page.reload();
		await chat.ready();
		await chat.page.getByText("the engine jammed").last().waitFor();
		expect(await chat.page.locator(".message.user").count()).toBe(1);
	});

	it("lists earlier chats, and opens one", async () => {
		await chat.say("count to 7");
		await chat.saidUntil((said) => said.trim() === counted(7));
		await chat.settled();
		await chat.page.getByRole("link", { name: "New chat" }).click();
		await chat.page.getByText("Tell me about yourself.").waitFor();
		await chat.page.getByRole("button", { name: "Earlier chats" }).click();
		await chat.page.getByRole("link", { name: /^count to 7/ }).click();
		await chat.saidUntil((said) => said.trim() === counted(7));
	});
});
