import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import {
	freePort,
	type NodeProcess,
	type RedisServer,
	requirePart,
	spawnNode,
	startRedis,
} from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startWeb, type WebServer } from "./support/web-server";

/* Real servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const NEXT = createRequire(import.meta.url).resolve("next/dist/bin/next");
const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const KEY = "web-key-0123456789abcdef";

describe.skipIf(!requirePart("redis-server"))("the web app alone", () => {
	let redis: RedisServer;
	let baton: WebServer;
	let app: NodeProcess;
	let url: string;
	beforeAll(async () => {
		redis = await startRedis();
		baton = await startWeb({ BATON_WEB: "off", BATON_API_KEYS: `web:${KEY}` });
		const port = await freePort();
		url = `http://127.0.0.1:${port}`;
		app = spawnNode(NEXT, {
			args: ["start", FOLDER, "-p", `${port}`, "-H", "127.0.0.1"],
			env: {
				NODE_ENV: "production",
				NEXT_TELEMETRY_DISABLED: "1",
				BATON_AGENT_API_URL: baton.url,
				BATON_AGENT_API_KEY: KEY,
				REDIS_URL: redis.url,
				BATON_TRUSTED_PROXIES: "1",
				BATON_NEWCOMERS_PER_MINUTE: "10",
			},
		});
		await app.waitForLine((line) => line.includes("Ready"), 60_000);
	});
	afterAll(async () => {
		await app?.stop();
		await baton?.stop();
		await redis?.stop();
	});
	const say = (text: string, cookie = "") =>
		fetch(`${url}/api/chat`, {
			method: "POST",
			headers: { cookie },
			body: JSON.stringify({
				id: "chat",
				messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }],
			}),
		});

	it("has its agents elsewhere, and keeps its visitors apart", async () => {
		const [ada, bob] = await Promise.all([say("count to 4"), say("count to 3")]);
		const [cookie, other] = [ada, bob].map((r) => r.headers.get("set-cookie")?.split(";")[0] ?? "");
		expect((await ada.text()).match(/"delta":"\d/g)).toHaveLength(4);
		expect((await bob.text()).match(/"delta":"\d/g)).toHaveLength(3);
		const titles = async (cookie: string) => {
			const response = await fetch(`${url}/api/chats`, { headers: { cookie } });
			return (await response.json()).chats.map(({ title }: { title: string }) => title);
		};
		expect(await titles(cookie ?? "")).toEqual(["count to 4"]);
		expect(await titles(other ?? "")).toEqual(["count to 3"]);
		expect(await titles("")).toEqual([]);
	});

	it("limits newcomers by the address that its proxy saw, and keeps their cookies to TLS", async () => {
		const come = (from: string) =>
			fetch(`${url}/api/chats`, {
				headers: { "x-forwarded-for": from, "x-forwarded-proto": "https" },
			});
		const first = await come("203.0.113.1");
		expect(first.headers.get("set-cookie")).toMatch(/; Secure$/);
		const made = Array.from({ length: 10 }, (_, n) => come(`198.51.100.${n}, 203.0.113.1`));
		const statuses = (await Promise.all(made)).map(({ status }) => status);
		expect(statuses.filter((status) => status === 429)).toHaveLength(1);
		expect((await come("203.0.113.2")).status).toBe(200);
	});

	it("mounts the agent API that is elsewhere", async () => {
		const run = await fetch(`${url}/agent-api/run`, {
			method: "POST",
			headers: { authorization: `Bearer ${KEY}` },
			body: JSON.stringify({ type: "agent.run", message: "count to 3" }),
		});
		const lines = (await run.text()).trim().split("\n");
		expect(JSON.parse(lines[0]!)).toMatchObject({ type: "relay.session" });
		expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: "result", status: "success" });
		const refused = await fetch(`${url}/agent-api/run`, { method: "POST", body: "{}" });
		expect(refused.status).toBe(401);
		const { sessionId, token } = JSON.parse(lines[0]!);
		const query = new URLSearchParams({ type: "relay.events", sessionId, token });
		const leave = new AbortController();
		const events = await fetch(`${url}/agent-api/relay?${query}`, { signal: leave.signal });
		expect(events.headers.get("content-type")).toContain("text/event-stream");
		leave.abort();
		const relay = await fetch(`${url}/agent-api/relay`, { method: "POST", body: "{}" });
		expect(await relay.json()).toMatchObject({ ok: false });
	});
});
