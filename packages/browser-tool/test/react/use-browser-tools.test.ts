import { launchChromium, requirePart, waitFor } from "@baton/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChatServer } from "./chat-server";

const FULL = process.env.BATON_FULL === "1";

/** With the newer version, only what depends on how `useChat` works, unless all is asked for. */
const SDKS: [name: string, alias: Record<string, string>, all: boolean][] = [
	["ai 6, @ai-sdk/react 3", {}, true],
	["ai 7, @ai-sdk/react 4", { ai6: "ai7", "@ai-sdk/react3": "@ai-sdk/react4" }, FULL],
];

describe.skipIf(!requirePart("chromium")).each(SDKS)("useBrowserTools, %s", (_name, alias, all) => {
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

	it("a call that waits when the page is loaded is taken up", async () => {
		server.hold(chat);
		const page = await open();

		await card(page).waitFor();
		await card(page).getByRole("button", { name: "Accept" }).click();
		await says(page, "Looking. Filling. Done.");
		expect(server.outputs(chat, "getFormSnapshot")).toHaveLength(1);
	});

	it("a call that a reload has cut short is told as unknown, and not run again", async () => {
		const page = await open();
		await ask(page);
		await card(page).waitFor();

		await page.reload();

		await says(page, "Looking. Filling. Done.");
		expect(server.outputs(chat, "executeFormActions")).toMatchObject([
			{ state: "output-error", errorText: expect.stringContaining("unknown") },
		]);
		expect(await filled(page)).toEqual([]);
		expect(await page.inputValue("[name=name]")).toBe("");
	});

	it("a replay of the turn runs nothing again, and tells the output that the server has not", async () => {
		const page = await open();
		server.settings.losePosts = 1;
		await ask(page);
		await waitFor(async () => (await page.locator("#status").textContent()) === "error");

		await page.getByRole("button", { name: "Resume" }).click();

		await card(page).waitFor();
		await card(page).getByRole("button", { name: "Accept" }).click();
		await says(page, "Looking. Filling. Done.");
		expect(await filled(page)).toEqual(["Name", "Email", "Send"]);
		const [lost, again] = server.outputs(chat, "getFormSnapshot");
		expect(again).toEqual(lost);
	});

	it("a call that comes with its output, in a replay elsewhere, is not run", async () => {
		const page = await open();
		await ask(page);
		await card(page).waitFor();
		const elsewhere = await browser.newContext();
		const other = await elsewhere.newPage();
		await other.goto(`${server.url}?chat=${chat}&resume`);
		await says(other, "Looking. Filling. ");
		await waitFor(async () => (await other.locator("#status").textContent()) === "ready");

		const begun = await other.evaluate(() => Object.keys(localStorage));
		expect(begun.filter((key) => key.endsWith("-getFormSnapshot"))).toEqual([]);
		await elsewhere.close();
	});

	if (!all) return;

	it("a no is told to the agent", async () => {
		const page = await open();
		await ask(page);
		await card(page).getByRole("button", { name: "Refuse" }).click();

		await says(page, "Looking. Filling. Done.");
		expect(await sent(page)).toEqual([]);
		expect(server.outputs(chat, "executeFormActions")).toMatchObject([
			{ output: { report: { applied: 2, results: [{}, {}, { code: "denied" }] } } },
		]);
	});

	it("an error in the page is a tool error", async () => {
		chat = `broken-${chat}`;
		const page = await open();
		await ask(page);

		await says(page, "Looking. Filling. Done.");
		expect(server.outputs(chat, "executeFormActions")).toMatchObject([
			{ state: "output-error", errorText: "The call has no list of actions." },
		]);
	});

	it("an output that was lost with its post is told again after a reload, and nothing run again", async () => {
		const page = await open();
		server.settings.losePosts = 1;
		await ask(page);
		await waitFor(() => server.outputs(chat, "getFormSnapshot").length === 1);
		const [lost] = server.outputs(chat, "getFormSnapshot");

		await page.reload();

		await card(page).waitFor();
		expect(server.outputs(chat, "getFormSnapshot")[1]).toEqual(lost);
	});

	it("of two tabs one runs a call, and a tab that is closed leaves it unknown to the other", async () => {
		const first = await open();
		await ask(first);
		await card(first).waitFor();
		const second = await open("&resume");
		await waitFor(async () => (await second.locator("#running").textContent()) === "1");

		const waits = () =>
			second.evaluate(async () => (await navigator.locks.query()).pending?.length);
		await waitFor(async () => (await waits()) === 1);
		expect(await card(second).count()).toBe(0);
		expect(server.outputs(chat, "executeFormActions")).toEqual([]);
		await first.close();

		await says(second, "Looking. Filling. Done.");
		expect(await filled(second)).toEqual([]);
		expect(server.outputs(chat, "executeFormActions")).toMatchObject([
			{ state: "output-error", errorText: expect.stringContaining("unknown") },
		]);
	});

	it("a tab that only waits for its turn says nothing when it is left", async () => {
		const first = await open();
		await ask(first);
		await card(first).waitFor();
		const second = await open("&resume");
		await waitFor(async () => (await second.locator("#running").textContent()) === "1");

		await second.getByRole("button", { name: "Leave" }).click();
		await second.locator("#running").waitFor({ state: "detached" });
		await card(first).getByRole("button", { name: "Accept" }).click();

		await says(first, "Looking. Filling. Done.");
		expect(server.outputs(chat, "executeFormActions")).toMatchObject([
			{ output: { report: { applied: 3 } } },
		]);
	});

	it("of two tabs, what the one has done the other does not do", async () => {
		server.hold(chat);
		const [first, second] = await Promise.all([open(), open()]);
		const either = await Promise.race(
			[first, second].map((page) =>
				card(page)
					.waitFor()
					.then(() => page),
			),
		);
		await card(either).getByRole("button", { name: "Accept" }).click();
		await says(either, "Looking. Filling. Done.");

		const sentBy = await Promise.all([sent(first), sent(second)]);
		expect(sentBy.flat()).toHaveLength(1);
		expect(server.outputs(chat, "getFormSnapshot")).toHaveLength(1);
		expect(server.outputs(chat, "executeFormActions")).toHaveLength(1);
	});

	it("a call is claimed at the server first, and again with the same id when it did not answer", async () => {
		const page = await open("&claim");
		server.settings.failingClaims = 1;
		await ask(page);
		await card(page).waitFor();

		const claims = server.claimed.filter(({ toolCallId }) => toolCallId.startsWith(`${chat}-`));
		expect(claims).toHaveLength(3);
		expect(claims[0]!.claimId).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
		expect(claims[1]).toEqual(claims[0]);
		expect(claims[2]!.claimId).not.toBe(claims[0]!.claimId);
	});

	it("what the server says is another page's is left to it", async () => {
		server.settings.claimAnswer = "taken";
		const page = await open("&claim");
		await ask(page);
		await waitFor(() => server.claimed.some(({ toolCallId }) => toolCallId.startsWith(`${chat}-`)));
		await waitFor(async () => (await page.locator("#running").textContent()) === "0");

		expect(server.posts.filter((one) => one.chat === chat)).toHaveLength(1);
	});

	it("what the agent no longer asks for when the person agrees is not done, and nothing is told", async () => {
		const page = await open("&claim");
		await ask(page);
		await card(page).waitFor();
		const posts = server.posts.filter((one) => one.chat === chat).length;

		server.settings.claimAnswer = "taken";
		await card(page).getByRole("button", { name: "Accept" }).click();

		await waitFor(async () => (await page.locator("#running").textContent()) === "0");
		expect(await sent(page)).toEqual([]);
		expect(server.posts.filter((one) => one.chat === chat)).toHaveLength(posts);
	});

	it("what the server does not know the end of is told as unknown", async () => {
		server.settings.claimAnswer = "unknown";
		const page = await open("&claim");
		await ask(page);

		await says(page, "Looking. Done.");
		expect(server.outputs(chat, "getFormSnapshot")).toMatchObject([{ state: "output-error" }]);
	});

	it.each([
		["stopped", "Stop", "stopped"],
		["left", "Leave", "left"],
	])("a call whose chat is %s ends, and the agent is told", async (_how, button, word) => {
		const page = await open();
		await ask(page);
		await card(page).waitFor();

		await page.getByRole("button", { name: button }).click();

		await waitFor(() => server.outputs(chat, "executeFormActions").length === 1);
		const [output] = server.outputs(chat, "executeFormActions");
		expect(JSON.stringify(output)).toContain(word);
		expect(output).toMatchObject({ output: { report: { results: [{}, {}, { code: "denied" }] } } });
		expect(await sent(page)).toEqual([]);
	});

	it("where storage is forbidden a call still runs, once for the page", async () => {
		await context.addInitScript(() => {
			for (const name of ["localStorage", "sessionStorage"]) {
				Object.defineProperty(window, name, {
					get() {
						throw new DOMException("no", "SecurityError");
					},
				});
			}
		});
		const page = await open();
		await ask(page);
		await card(page).getByRole("button", { name: "Accept" }).click();

		await says(page, "Looking. Filling. Done.");
		expect(await sent(page)).toHaveLength(1);
	});
});
