import {
	type RedisServer,
	requirePart,
	startRedis,
	type TempDir,
	tempDir,
	waitFor,
} from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";
import { figuresOf } from "./support/figures";
import { allLines, attach, linesOf, readUntil, run } from "./support/turn";

describe.skipIf(!requirePart("redis-server"))("figures and readiness when things fail", () => {
	let redis: RedisServer;
	let home: TempDir;
	let one: Server;
	let other: Server;

	const start = () =>
		startServer({ home: home.path, env: { REDIS_URL: redis.url, BATON_METRICS: "loopback" } });
	const statusOf = async ({ url }: Server, path: string) => (await fetch(`${url}${path}`)).status;

	beforeAll(async () => {
		redis = await startRedis({ appendOnly: true });
		home = await tempDir("baton-figures");
		[one, other] = [await start(), await start()];
	});
	afterAll(async () => {
		await Promise.all([one.process.stop(), other.process.stop()]);
		await redis.stop();
		await home.remove();
	});

	it("a request is open where it was made until it is answered, wherever that is", async () => {
		const words = "I am Ada Lovelace, ada@example.org";
		const asked = linesOf(await run(one, words, { session_id: "form" }));
		const { requestId } = await readUntil(asked, ({ type }) => type === "snapshot_request");
		expect((await figuresOf(one)).of("baton_requests_open")).toBe(1);
		expect((await figuresOf(other)).of("baton_requests_open")).toBe(0);
		const elsewhere = linesOf(await attach(other, "form"));
		const relay = await readUntil(elsewhere, ({ type }) => type === "relay.session");
		const response = { type: "snapshot_response", requestId, fields: [] };
		await fetch(String(relay.relayUrl), {
			method: "POST",
			headers: { authorization: `Bearer ${String(relay.token)}` },
			body: JSON.stringify({ type: "relay.respond", sessionId: relay.sessionId, response }),
		});
		await readUntil(asked, ({ type }) => type === "result");
		expect((await figuresOf(one)).of("baton_requests_open")).toBe(0);
		expect((await figuresOf(other)).of("baton_requests_ended_total")).toBe(1);
	});

	it("a stopped process that wakes up counts the lease it lost, and the other its recovery", async () => {
		const [oneBefore, otherBefore] = [await figuresOf(one), await figuresOf(other)];
		const running = linesOf(await run(one, "count to 400 every 20ms", { session_id: "stopped" }));
		await readUntil(running, (line) => String(line.content).trim() === "20");
		one.process.kill("SIGSTOP");
		const lines = await allLines(await attach(other, "stopped"));
		one.process.kill("SIGCONT");
		expect(lines.at(-1)).toMatchObject({ type: "result", status: "success" });
		await waitFor(async () => (await figuresOf(one)).of("baton_leases_lost_total") === 1);
		const lost = await figuresOf(one);
		const lostGrown = (name: string) => lost.of(name) - oneBefore.of(name);
		expect(lostGrown("baton_turns_started_total")).toBe(1);
		expect(lostGrown("baton_turns_ended_total")).toBe(0);
		expect(lost.of("baton_turns_running")).toBe(0);
		expect(lost.of("baton_leases")).toBe(0);
		const took = await figuresOf(other);
		expect(took.of("baton_recoveries_total")).toBe(1);
		expect(took.of("baton_turns_started_total")).toBe(0);
		expect(took.of("baton_turns_ended_total", { status: "success" })).toBe(1);
		const cold = { kind: "cold" };
		const came = took.of("baton_resumes_total", cold) - otherBefore.of("baton_resumes_total", cold);
		expect(came).toBe(1);
		expect(took.of("baton_leases_lost_total")).toBe(0);
	});

	it("a turn of a killed process is counted where it was recovered", async () => {
		const before = await figuresOf(other);
		const running = linesOf(await run(one, "count to 200 every 10ms", { session_id: "killed" }));
		await readUntil(running, (line) => String(line.content).trim() === "20");
		one.process.kill("SIGKILL");
		await one.process.exited;
		await allLines(await attach(other, "killed"));
		const after = await figuresOf(other);
		const grown = (name: string) => after.of(name) - before.of(name);
		expect(grown("baton_recoveries_total")).toBe(1);
		expect(grown("baton_turns_ended_total")).toBe(1);
		one = await start();
		expect((await figuresOf(one)).of("baton_recoveries_total")).toBe(0);
	});

	it("a store that is away is counted, and makes a process unready but not unhealthy", async () => {
		expect(await statusOf(one, "/ready")).toBe(200);
		await redis.kill();
		await waitFor(async () => (await statusOf(one, "/ready")) === 503, { timeoutMs: 20_000 });
		expect(await (await fetch(`${one.url}/ready`)).json()).toEqual({ status: "store unreachable" });
		expect(await statusOf(one, "/health")).toBe(200);
		await waitFor(
			async () =>
				(await figuresOf(one)).of("baton_store_errors_total", { code: "unavailable" }) > 0,
			{ timeoutMs: 20_000 },
		);
		await redis.restart();
		await waitFor(async () => (await statusOf(one, "/ready")) === 200, { timeoutMs: 20_000 });
	});
});
