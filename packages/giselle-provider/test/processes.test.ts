import { type RedisServer, requirePart, startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse } from "./support/conversation";
import { request, shownText } from "./support/page";
import { KEY, type Restartable, startBaton, startInstance } from "./support/real-parts";

const FORM = "I am Ada Lovelace, ada@example.org, please fill the form";
const KILLS = process.env.BATON_FULL ? 100 : 10;
const words = (count: number) =>
	Array.from({ length: count }, (_, index) => `w${index + 1}`).join(" ");

describe.skipIf(!requirePart("redis-server"))("the real agent API and two instances", () => {
	let redis: RedisServer;
	let baton: Restartable;
	let one: Restartable;
	let two: Restartable;
	let formText = "";
	/** Calls alternate between these, or stay with the first. */
	const at = (...urls: Restartable[]) => {
		let turn = 0;
		return { next: () => urls[turn++ % urls.length]!.url, isDown: async () => {} };
	};

	beforeAll(async () => {
		redis = await startRedis();
		baton = await startBaton(redis);
		[one, two] = await Promise.all([
			startInstance(redis, baton.url),
			startInstance(redis, baton.url),
		]);
		formText = (await converse("calm", FORM, at(one))).text;
		expect(formText).toContain("Ada Lovelace");
	});
	afterAll(async () => {
		await Promise.all([one?.stop(), two?.stop(), baton?.stop()]);
		await redis?.stop();
	});

	/** What the agent said in the latest turn of a chat, by its own log. */
	async function agentText(chatId: string): Promise<string> {
		const client = new Redis(redis.url);
		const memory = JSON.parse((await client.get(`giselle:provider:chat:${chatId}`)) ?? "{}");
		client.disconnect();
		const response = await fetch(`${baton.url}/agent-api/run`, {
			method: "POST",
			headers: { authorization: `Bearer ${KEY}` },
			body: JSON.stringify({
				type: "agent.run",
				attach: true,
				session_id: memory.geminiSessionId,
			}),
		});
		const lines = (await response.text())
			.split("\n")
			.filter((line) => line.trim() !== "")
			.map((line) => JSON.parse(line));
		expect(lines.filter(({ type }) => type === "input_admitted")).toHaveLength(1);
		const upTo = Math.max(
			0,
			...lines.flatMap(({ type, up_to }) => (type === "retract" ? up_to : 0)),
		);
		return lines
			.filter(({ type, seq }) => type === "message" && seq > upTo)
			.map(({ content }) => content)
			.join("");
	}

	it("new → tool → hot, in one process", async () => {
		const { resumes, text, tools } = await converse("hot", FORM, at(one));
		expect(resumes).toEqual(["new", "hot", "hot"]);
		expect(tools.map(({ toolName }) => toolName)).toEqual([
			"getFormSnapshot",
			"executeFormActions",
		]);
		expect(text).toBe(await agentText("hot"));
	});

	it("new → tool → cold, in the other process", async () => {
		const { resumes, text } = await converse("cold", FORM, at(one, two));
		expect(resumes).toEqual(["new", "cold", "cold"]);
		expect(text).toBe(formText);
		expect(text).toBe(await agentText("cold"));
	});

	it("a process killed while paused: the other one goes on", async () => {
		let calls = 0;
		const next = () => {
			if (calls++ === 0) return one.url;
			one.process.kill("SIGKILL");
			return two.url;
		};
		const urls = { next, isDown: async () => {} };
		const { resumes, text } = await converse("paused", FORM, urls);
		expect(resumes.slice(0, 2)).toEqual(["new", "cold"]);
		expect(text).toBe(formText);
		await one.restart();
	});

	it("a process killed while streaming: the other one replays and goes on", async () => {
		const message = "/stream 300 words every 3ms";
		const { resumes, text } = await converse("streaming", message, at(one, two), (_part, index) => {
			if (index === 60) one.process.kill("SIGKILL");
		});
		expect(resumes).toEqual(["attach"]);
		expect(text).toBe(words(300));
		expect(text).toBe(await agentText("streaming"));
		await one.restart();
	});

	it("a server killed while streaming: the same stream goes on when it is back", async () => {
		const message = "/stream 200 words every 5ms";
		let restarted: Promise<void> | undefined;
		const { resumes, text } = await converse("server", message, at(one), (_part, index) => {
			if (index === 40) restarted = baton.kill().then(() => baton.restart());
		});
		await restarted;
		expect(resumes).toEqual(["new"]);
		expect(text).toBe(words(200));
	});

	it(
		`${KILLS} random kills in a row: the joined text is the agent's every time`,
		async () => {
			let kills = 0;
			for (let round = 0; kills < KILLS; round++) {
				const chatId = `random-${round}`;
				const isForm = round % 3 === 2;
				const message = isForm ? FORM : "/stream 150 words every 4ms";
				let current = one;
				let back: Promise<unknown> = Promise.resolve();
				const strike = async () => {
					kills++;
					// The server costs a lease until its turn is recovered, so it is the rarer victim.
					const victim = Math.random() < 0.25 ? baton : current;
					await victim.kill();
					await victim.restart();
				};
				const urls = {
					next: () => {
						current = current === one ? two : one;
						return current.url;
					},
					isDown: async () => void (await back),
				};
				const timer = setTimeout(
					() => {
						back = strike();
					},
					Math.random() * (isForm ? 80 : 700),
				);
				const { text } = await converse(chatId, message, urls);
				clearTimeout(timer);
				await back;
				expect(text, `round ${round}`).toBe(await agentText(chatId));
				if (!isForm) expect(text).toBe(words(150));
			}
		},
		KILLS * 15_000,
	);

	it("keeps no session of a turn that is over", async () => {
		await request(one.url, {
			prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
			giselle: { chatId: "over" },
		}).then(({ parts }) => expect(shownText(parts)).not.toBe(""));
		const client = new Redis(redis.url);
		const memory = JSON.parse((await client.get("giselle:provider:chat:over")) ?? "{}");
		expect(memory).toMatchObject({ geminiSessionId: expect.any(String) });
		expect(memory).not.toHaveProperty("providerSessionId");
		client.disconnect();
	});
});
