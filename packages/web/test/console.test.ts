import { EVENTS_LOG } from "@baton/agent";
import { requirePart } from "@baton/testkit";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { violationsOf } from "./support/axe";
import { ADA } from "./support/chat-page";
import type { ConsolePage } from "./support/console-page";
import { type ConsoleParts, startConsole } from "./support/console-parts";
import { keepPicture } from "./support/picture";
import { seedLongSession, seedSessions } from "./support/seed-sessions";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });
const PATIENT = { timeout: 30_000, interval: 50 };
const FULL = Boolean(process.env.BATON_FULL);
const SESSIONS = FULL ? 10_000 : 1_000;
const EVENTS = FULL ? 100_000 : 10_000;

const wide = { width: 1360, height: 860 };
const narrow = { width: 390, height: 844 };
const LOOKS: [string, BrowserContextOptions][] = [
	["light", { colorScheme: "light", viewport: wide }],
	["narrow-dark", { colorScheme: "dark", viewport: narrow }],
];
if (FULL) {
	LOOKS.push(
		["dark", { colorScheme: "dark", viewport: wide }],
		["narrow", { colorScheme: "light", viewport: narrow }],
	);
}

describe.skipIf(!(requirePart("chromium") && requirePart("redis-server")))("the console", () => {
	let parts: ConsoleParts;
	let view: ConsolePage;
	beforeAll(async () => {
		parts = await startConsole();
		await seedSessions(parts.store, "mallory", 3);
	});
	afterAll(() => parts?.stop());
	beforeEach(async () => {
		view = await parts.newPage();
	});
	afterEach(async () => {
		await view.page.close();
		expect(view.problems).toEqual([]);
	});

	it("says so when there are no sessions, and leads to the playground and back", async () => {
		await view.openList(parts.server.url);
		await view.page.getByRole("heading", { name: "No sessions yet" }).waitFor();
		await view.page.getByRole("link", { name: "Playground", exact: true }).click();
		await view.page.getByRole("link", { name: "All sessions" }).click();
		await view.page.getByRole("heading", { name: "No sessions yet" }).waitFor();
	});

	it("lists the sessions of every door as they come, and nobody else's", async () => {
		await view.openList(parts.server.url);
		await (await parts.chat("from the page", "c1")).text();
		await (await parts.run("from the agent API", "a1")).text();
		const { sessionKey } = await parts.gateway.call("sessions.create", {
			label: "from the gateway",
		});
		await parts.gateway.call("chat.send", { sessionKey, message: "hello there" });
		await view.titlesUntil(["from the gateway", "from the agent API", "from the page"]);
		const doors = view.page.locator(".session-door");
		await expect
			.poll(() => doors.allInnerTexts(), PATIENT)
			.toEqual(["gateway", "agent-api", "web"].map((door) => expect.stringContaining(door)));
		await view.session(/Done from the gateway/).waitFor();
	});

	it("shows a turn that begins, what it says, and that it ends", async () => {
		await view.openList(parts.server.url);
		await view.session(/^Done from the agent API/).waitFor();
		await parts.begin("/stream 40 words every 40ms", "a1");
		await view.session(/^Running from the agent API Agent:? w\d/).waitFor();
		await view.session(/^Done from the agent API Agent:? .*w40/).waitFor();
	});

	it("finds sessions by what was said, and by state and door", async () => {
		await (await parts.run("/fail the engine jammed", "a2")).text();
		await view.openList(parts.server.url);
		const { page } = view;
		await page.keyboard.press("/");
		await page.keyboard.type("w17 w18");
		await view.titlesUntil(["from the agent API"]);
		await page.getByRole("searchbox").fill("");
		await page.getByLabel("State").selectOption("Failed");
		await view.titlesUntil(["/fail the engine jammed"]);
		await page.reload();
		await view.titlesUntil(["/fail the engine jammed"]);
		await page.getByLabel("State").selectOption("Any state");
		await page.getByLabel("Door").selectOption("web");
		await view.titlesUntil(["from the page"]);
		await page.getByRole("searchbox").fill("nothing of the kind");
		await page.getByText("None of 4 sessions fits.").waitFor();
	});

	it("goes through the list with the keyboard, and into a session and out", async () => {
		await view.openList(parts.server.url);
		await view.session(/from the gateway/).focus();
		await view.page.keyboard.press("ArrowDown");
		await view.page.keyboard.press("Enter");
		await view.page.getByRole("heading", { name: "from the agent API" }).waitFor();
		await view.page.getByRole("link", { name: "All sessions" }).click();
		await view.session(/from the gateway/).waitFor();
	});

	it("shows each event once while a turn streams, through a lost connection and a reload", async () => {
		await parts.begin("/stream 5000 words every 15ms", "s1");
		const { id } = await parts.details("s1");
		await view.openSession(parts.network.url, id);
		await view.lastUntil((seq) => seq > 40);
		parts.network.cut();
		await view.page.getByText("Connection lost, trying again").waitFor();
		parts.network.restore();
		const before = (await parts.details("s1")).last;
		await view.lastUntil((seq) => seq > before);
		await fetch(`${parts.server.url}/api/sessions/${id}/abort`, { method: "POST" });
		const { last } = await parts.ended("s1");
		await view.verdictUntil(`Events 1–${last}: none missing, none twice`);
		const whole = Array.from({ length: last }, (_, index) => index + 1);
		expect(await view.allSeqs()).toEqual(whole);
		await view.page.reload();
		await view.verdictUntil(`Events 1–${last}: none missing, none twice`);
		expect(await view.allSeqs()).toEqual(whole);
	});

	it("goes back through time: how it stood, and what had been said", async () => {
		const { id, last } = await parts.details("s1");
		await view.openSession(parts.server.url, id);
		await expect.poll(async () => (await view.moment()).state, PATIENT).toBe("Stopped");
		await view.scrubTo(1);
		expect(await view.moment()).toEqual({ state: "Queued", text: "Nothing yet." });
		await view.scrubTo(6);
		expect(await view.moment()).toEqual({ state: "Running", text: "w1 w2 w3 w4" });
		expect(await view.event(6).getAttribute("aria-selected")).toBe("true");
		expect(await view.event(7).getAttribute("data-later")).toBe("true");
		expect(await view.page.getByRole("region", { name: "Payload" }).textContent()).toContain("w4");
		await view.event(8).click();
		expect((await view.moment()).text).toBe("w1 w2 w3 w4 w5 w6");
		await view.page.getByRole("listbox").focus();
		await view.page.keyboard.press("ArrowUp");
		await view.page.getByText(`Event 7 of ${last}`).waitFor();
		await view.page.getByRole("button", { name: "Next mark" }).click();
		await view.page.getByText("abort_requested", { exact: true }).waitFor();
		expect((await view.moment()).state).toBe("Running");
		await view.page.getByRole("listbox").focus();
		await view.page.keyboard.press("Home");
		await view.page.getByRole("button", { name: "Live" }).click();
		await view.event(last).waitFor();
	});

	it("marks where a turn waited for the page, and how it was gone on with", async () => {
		const text = await (await parts.chat(ADA, "form")).text();
		const { id } = await parts.details("form");
		await view.openSession(parts.server.url, id);
		await expect
			.poll(async () => (await view.moment()).state, PATIENT)
			.toBe("Waiting for the page");
		const toolCallId = /"toolCallId":"([^"]+)"/.exec(text)?.[1];
		const part = {
			type: "tool-getFormSnapshot",
			toolCallId,
			state: "output-available",
			input: {},
			output: { fields: [] },
		};
		await (
			await parts.chat(ADA, "form", [{ id: "reply-m1", role: "assistant", parts: [part] }])
		).text();
		await view.page.getByText("Hot resume: the reader had stayed.").waitFor();
		await keepPicture(view.page, "console-light-3-form");
		await expect.poll(async () => (await view.moment()).state, PATIENT).toBe("Done");
	});

	it("shows who drives a turn, and stops it", async () => {
		await parts.begin("/stream 5000 words every 20ms", "long-run");
		const { id } = await parts.details("long-run");
		await view.openSession(parts.server.url, id);
		await view.page
			.getByText(new RegExp(`Runner .+/${parts.server.process.pid} holds the lease`))
			.waitFor();
		await view.page.getByRole("button", { name: "Stop turn" }).click();
		await expect.poll(async () => (await view.moment()).state, PATIENT).toBe("Stopped");
		await view.page.getByText("Turn stopped").waitFor();
		await view.page.getByText("No runner: no turn is open").waitFor();
		expect(await view.page.getByRole("button", { name: "Stop turn" }).isDisabled()).toBe(true);
		expect((await parts.ended("long-run")).state).toBe("stopped");
	});

	it("exports the log as it is", async () => {
		const { id } = await parts.details("form");
		await view.openSession(parts.server.url, id);
		const [download] = await Promise.all([
			view.page.waitForEvent("download"),
			view.page.getByRole("link", { name: "Export" }).click(),
		]);
		expect(download.suggestedFilename()).toBe(`session-${id}.ndjson`);
		let text = "";
		for await (const chunk of await download.createReadStream()) text += chunk;
		const { entries } = await parts.store.collection("sessions").read(id, EVENTS_LOG);
		const stored = entries.map(({ seq, event }) => ({ seq, ...(event as object) }));
		expect(
			text
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line)),
		).toEqual(stored);
	});

	it.each([
		["Event 4 is missing.", (lines: object[]) => lines.toSpliced(3, 1)],
		["Event 3 came twice.", (lines: object[]) => lines.toSpliced(3, 0, lines[2]!)],
	])("sounds an alarm when the numbers do not count up: %s", async (words, change) => {
		await view.page.route(/\/events\?after=0&/, async (route) => {
			const page = await (await route.fetch()).json();
			await route.fulfill({ json: { ...page, events: change(page.events) } });
		});
		await view.page.goto(`${parts.server.url}/sessions/${(await parts.details("s1")).id}`);
		await view.page.getByRole("alert").getByText(words).waitFor();
	});

	it("has no session where there is none, or none any more, and none of another owner", async () => {
		for (const id of ["mallory-1", "no-such-session"]) {
			await view.page.goto(`${parts.server.url}/sessions/${id}`);
			await view.page.getByRole("heading", { name: "There is no such session." }).waitFor();
		}
		const { id } = await parts.details("a2");
		await view.openSession(parts.server.url, id);
		await parts.store.collection("sessions").delete(id);
		await view.page.getByRole("heading", { name: "This session was deleted." }).waitFor();
		const response = await view.page.goto(`${parts.server.url}/sessions/not%20plain`);
		expect(response?.status()).toBe(404);
	});

	it("opens fast and stays small with many sessions", async () => {
		await seedSessions(parts.store, "local", SESSIONS);
		const begun = performance.now();
		await view.openList(parts.server.url);
		await view.page.locator(".session-line").first().waitFor();
		expect(performance.now() - begun).toBeLessThan(10_000);
		const rows = view.page.locator("#sessions");
		const oldest = view.session(new RegExp(`Question ${SESSIONS - 1} `));
		await expect
			.poll(async () => {
				await rows.evaluate((box) => box.scrollTo(0, box.scrollHeight));
				return oldest.count();
			}, PATIENT)
			.toBe(1);
		expect(await view.nodes()).toBeLessThan(1_000);
		await view.page.getByRole("searchbox").fill(`Question ${SESSIONS - 2} about`);
		await expect.poll(() => view.titles(), PATIENT).toHaveLength(1);
	});

	it("opens a long log at its end, goes anywhere in it, and counts all of it", async () => {
		await seedLongSession(parts.store, "local", "long", EVENTS);
		const begun = performance.now();
		await view.openSession(parts.server.url, "long");
		await view.event(EVENTS).getByText("Turn done").waitFor();
		expect(performance.now() - begun).toBeLessThan(10_000);
		await view.verdictUntil(/^Received [\d,]+ of [\d,]+, none missing/);
		const middle = EVENTS / 2 + EVENTS / 40;
		await view.scrubTo(middle + 3);
		await view
			.event(middle + 2)
			.getByText("Recovered, attempt 2")
			.waitFor();
		await view.event(middle).getByText("taken back").waitFor();
		await expect
			.poll(() => view.moment(), PATIENT)
			.toEqual({ state: "Running", text: `w${EVENTS / 40 + 3}` });
		for (let step = 1; step < 8; step++) await view.scrubTo(Math.round((EVENTS / 8) * step));
		expect(await view.nodes()).toBeLessThan(1_000);
		await view.page.getByRole("button", { name: /^Count all/ }).click();
		const all = EVENTS.toLocaleString("en");
		await view.verdictUntil(`Events 1–${all}: none missing, none twice`);
	});

	it.each(LOOKS)("has no axe violation: %s", async (look, options) => {
		const looked = await parts.newPage({ ...options, bypassCSP: true });
		await looked.openList(parts.server.url);
		await looked.page.locator(".session-line").first().waitFor();
		await keepPicture(looked.page, `console-${look}-1-list`);
		expect(await violationsOf(looked.page)).toEqual([]);
		await looked.openSession(parts.server.url, "long");
		await looked.event(EVENTS).waitFor();
		await looked.scrubTo(EVENTS / 2 + EVENTS / 40 + 3);
		await keepPicture(looked.page, `console-${look}-2-scrubbed`);
		expect(await violationsOf(looked.page)).toEqual([]);
		await looked.page.context().close();
	});
});
