import { launchChromium, type RedisServer, requirePart, startRedis } from "@baton/testkit";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ADA, counted, newChatPage } from "./support/chat-page";
import { type Network, openNetwork } from "./support/network";
import { startWeb, type WebServer } from "./support/web-server";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const canRun = requirePart("chromium") && requirePart("redis-server");

describe.skipIf(!canRun)("the playground on two servers with one Redis", () => {
	let redis: RedisServer;
	let servers: WebServer[];
	let network: Network;
	let browser: Browser;
	beforeAll(async () => {
		redis = await startRedis();
		const env = { REDIS_URL: redis.url };
		[browser, ...servers] = await Promise.all([launchChromium(), startWeb(env), startWeb(env)]);
		network = await openNetwork(servers[0]!.url);
	});
	afterAll(async () => {
		await browser?.close();
		await network?.close();
		await Promise.all((servers ?? []).map((server) => server.stop()));
		await redis?.stop();
	});

	it("moved from one to the other in the middle of a text, shows each word once", async () => {
		const chat = await (await newChatPage(browser)).open(network.url);
		await chat.say("count to 300 every 20ms");
		await chat.saidUntil((text) => text.includes("1 2 3 4 5"));
		network.moveTo(servers[1]!.url);
		await chat.saidUntil((text) => text.includes(" 120 "));
		network.moveTo(servers[0]!.url);
		await chat.saidUntil((text) => text.trim() === counted(300));
		await chat.settled();
		expect(await chat.page.locator(".message.assistant").count()).toBe(1);
		expect(chat.problems).toEqual([]);
	});

	it("moved while the person is asked, does each action once, and the console says who went on", async () => {
		network.moveTo(servers[0]!.url);
		const chat = await (await newChatPage(browser)).open(network.url);
		await chat.say(ADA);
		await chat.button("Approve").waitFor();
		network.moveTo(servers[1]!.url);
		await chat.button("Approve").click();
		await chat.saidUntil((text) => text.includes("I did 4 of 4 steps"));
		await chat.settled();
		expect(await chat.filled()).toEqual(["Ada Lovelace", "ada@example.org", "2027-03"]);
		expect(await chat.steps()).toHaveLength(3);
		expect(chat.problems).toEqual([]);
		await chat.page.goto(`${network.url}/sessions`);
		await chat.page.locator('a[href^="/sessions/"]').first().click();
		await chat.page.getByText(/Events 1–\d+: none missing, none twice/).waitFor();
		await chat.page.getByRole("listbox").press("Home");
		const nextMark = chat.page.getByRole("button", { name: "Next mark" });
		const coldResume = chat.page.getByText("Cold resume: another reader went on.").first();
		await expect
			.poll(async () => {
				await nextMark.click();
				return coldResume.isVisible();
			})
			.toBe(true);
	});

	it("stops from one what the other runs", async () => {
		network.moveTo(servers[0]!.url);
		const chat = await (await newChatPage(browser)).open(network.url);
		await chat.say("count to 5000 every 10ms");
		await chat.saidUntil((text) => text.includes("1 2 3"));
		network.moveTo(servers[1]!.url);
		await chat.button("Stop").click();
		await chat.page.getByText("Stopped.").waitFor();
		await chat.settled();
	});
});
