import { launchChromium, requirePart, waitFor } from "@baton/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChatServer } from "./chat-server";

const SDKS: [name: string, alias: Record<string, string>][] = [
	["ai 6, @ai-sdk/react 3", {}],
	["ai 7, @ai-sdk/react 4", { ai6: "ai7", "@ai-sdk/react3": "@ai-sdk/react4" }],
];

describe.skipIf(!requirePart("chromium")).each(SDKS)("useBrowserTools, %s", (_name, alias) => {
	let browser: Browser;
	let server: Awaited<ReturnType<typeof startChatServer>>;
	let context: BrowserContext;
	let count = 0;
	let chat = "";
	beforeAll(async () => {
		[browser, server] = await Promise.all([launchChromium(), startChatServer(alias)]);
	});
	afterAll(async () => {
		await browser?.close();
		await server?.close();
	});
	beforeEach(async () => {
		context = await browser.newContext();
		chat = `chat-${++count}`;
		server.settings.claimAnswer = undefined;
	});
	afterEach(() => context.close());

	const open = async (query = "") => {
		const page = await context.newPage();
		await page.goto(`${server.url}?chat=${chat}${query}`);
		await page.getByRole("button", { name: "Ask" }).waitFor();
		return page;
	};
	const ask = (page: Page) => page.getByRole("button", { name: "Ask" }).click();
	const card = (page: Page) => page.getByRole("alertdialog", { name: "Send" });
	const says = (page: Page, text: string) =>
		waitFor(async () => (await page.locator("#text").textContent()) === text, {
			what: `the chat to say "${text}"`,
		});
	const sent = (page: Page) => page.evaluate("sent");
	const filled = (page: Page) => page.evaluate(() => window.filled);

	it("reads the form, fills it, asks with the values, sends it, and each call once", async () => {
		const page = await open();
		await ask(page);

		await card(page).waitFor();
		expect(await card(page).textContent()).toContain("Name=Ada; Email=ada@example.org");
		expect(await sent(page)).toEqual([]);
		await card(page).getByRole("button", { name: "Accept" }).click();

		await says(page, "Looking. Filling. Done.");
		expect(await sent(page)).toEqual([{ name: "Ada", email: "ada@example.org" }]);
		expect(await filled(page)).toEqual(["Name", "Email", "Send"]);
		const [output] = server.outputs(chat, "executeFormActions");
		expect(output).toMatchObject({
			state: "output-available",
			output: { report: { applied: 3, skipped: 0, warnings: [] } },
		});
		expect(await card(page).count()).toBe(0);
	});
});
