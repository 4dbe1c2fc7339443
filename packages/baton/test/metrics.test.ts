import { get } from "node:http";
import { type TempDir, tempDir, waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunOptions, runBaton, type Server, startServer } from "./support/baton";
import { figuresOf } from "./support/figures";
import { allLines, attach, linesOf, readUntil, run } from "./support/turn";

let home: TempDir;
const servers: Server[] = [];

beforeEach(async () => {
	home = await tempDir();
});
afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.process.stop()));
	await home.remove();
});

async function start(env: RunOptions["env"] = { BATON_METRICS: "loopback" }): Promise<Server> {
	const server = await startServer({ home: home.path, env });
	servers.push(server);
	return server;
}

/** The status of /metrics for who reaches this server under another name. */
const statusUnderName = (name: string, url: string) =>
	new Promise<number | undefined>((resolve, reject) => {
		const { port } = new URL(url);
		get(`${url}/metrics`, { headers: { host: `${name}:${port}` } }, (answer) => {
			answer.resume();
			resolve(answer.statusCode);
		}).on("error", reject);
	});

const isRequest = ({ type }: { type: string }) => type.endsWith("_request");

describe("/metrics", () => {
	it("counts turns by how they end, and the events that were stored for them", async () => {
		const server = await start();
		await allLines(await run(server, "/stream 20 words"));
		await allLines(await run(server, "Hello"));
		await allLines(await run(server, "/fail"));
		const endless = linesOf(await run(server, "/wait 60s", { session_id: "endless" }));
		await readUntil(endless, ({ type }) => type === "init");
		// A session is settled a moment after its turn has ended.
		await waitFor(async () => (await figuresOf(server)).of("baton_leases") === 1);
		const during = await figuresOf(server);
		expect(during.of("baton_turns_running")).toBe(1);
		expect(during.of("baton_readers")).toBe(1);
		await server.call("abort", { session_id: "endless" });
		await readUntil(endless, ({ type }) => type === "result");
		await waitFor(async () => (await figuresOf(server)).of("baton_leases") === 0);
		const figures = await figuresOf(server);
		expect(figures.of("baton_turns_admitted_total")).toBe(4);
		expect(figures.of("baton_turns_started_total")).toBe(4);
		expect(figures.of("baton_turns_ended_total", { status: "success" })).toBe(2);
		expect(figures.of("baton_turns_ended_total", { status: "error" })).toBe(1);
		expect(figures.of("baton_turns_ended_total", { status: "aborted" })).toBe(1);
		expect(figures.of("baton_turn_seconds_count")).toBe(4);
		expect(figures.of("baton_turns_running")).toBe(0);
		expect(figures.of("baton_events_total")).toBeGreaterThan(30);
		expect(figures.of("baton_store_seconds_count", { method: "append" })).toBeGreaterThan(8);
		expect(figures.of("baton_store_errors_total")).toBe(0);
		expect(figures.of("baton_leases_lost_total")).toBe(0);
		expect(figures.of("baton_info", { store: "files" })).toBe(1);
		expect(figures.of("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
	});

	it("tells who stayed for an answer from who came for it", async () => {
		const server = await start();
		const asked = linesOf(
			await run(server, "I am Ada Lovelace, ada@example.org", { session_id: "form" }),
		);
		const relay = await readUntil(asked, ({ type }) => type === "relay.session");
		const { requestId } = await readUntil(asked, isRequest);
		const waiting = await figuresOf(server);
		expect(waiting.of("baton_requests_open")).toBe(1);
		expect(waiting.of("baton_resumes_total")).toBe(0);
		const response = { type: "snapshot_response", requestId, fields: [] };
		await fetch(String(relay.relayUrl), {
			method: "POST",
			headers: { authorization: `Bearer ${String(relay.token)}` },
			body: JSON.stringify({ type: "relay.respond", sessionId: relay.sessionId, response }),
		});
		await readUntil(asked, ({ type }) => type === "result");
		const stayed = await figuresOf(server);
		expect(stayed.of("baton_requests_open")).toBe(0);
		expect(stayed.of("baton_requests_ended_total", { how: "answered" })).toBe(1);
		expect(stayed.of("baton_resumes_total", { kind: "hot" })).toBe(1);
		expect(stayed.of("baton_resumes_total", { kind: "cold" })).toBe(0);
		await allLines(await attach(server, "form"));
		const came = await figuresOf(server);
		expect(came.of("baton_resumes_total", { kind: "hot" })).toBe(1);
		expect(came.of("baton_resumes_total", { kind: "cold" })).toBe(1);
		await allLines(await attach(server, "form"));
		const cameAgain = await figuresOf(server);
		expect(cameAgain.of("baton_resumes_total", { kind: "cold" })).toBe(2);
	});

	it("shows the reader that does not keep up, and its connection", async () => {
		const server = await start();
		const { port } = new URL(server.url);
		const stuck = await run(server, "/stream 100000 words", { session_id: "stuck" });
		await waitFor(async () => (await figuresOf(server)).of("baton_turns_ended_total") === 1, {
			timeoutMs: 25_000,
		});
		const figures = await figuresOf(server);
		const slowest = figures.of("baton_reader_lag_events", { of: "slowest" });
		expect(slowest).toBeGreaterThan(1_000);
		expect(figures.of("baton_reader_lag_events", { of: "all" })).toBe(slowest);
		expect(figures.of("baton_readers")).toBe(1);
		expect(figures.of("baton_http_answers", { port })).toBe(2); // This scrape is the other.
		expect(figures.of("baton_sockets", { port })).toBeGreaterThanOrEqual(2);
		await stuck.body?.cancel();
		await waitFor(async () => (await figuresOf(server)).of("baton_readers") === 0);
		const after = await figuresOf(server);
		expect(after.of("baton_reader_lag_events")).toBe(0);
		expect(after.of("baton_http_answers", { port })).toBe(1);
	});
});

describe("who may read /metrics", () => {
	it("nobody, unless it is set", async () => {
		const server = await start({});
		expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
	});

	it("loopback: this machine, and nobody who comes through a proxy", async () => {
		const { url } = await start();
		expect((await fetch(`${url}/metrics`)).status).toBe(200);
		for (const name of ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"]) {
			const headers = { [name]: "127.0.0.1" };
			expect((await fetch(`${url}/metrics`, { headers })).status).toBe(404);
		}
		expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(405);
		expect(await statusUnderName("evil.example", url)).toBe(404);
		expect(await statusUnderName("localhost", url)).toBe(200);
	});

	it("key: who has it", async () => {
		const key = "metrics-key-0123456789";
		const { url, key: apiKey } = await start({ BATON_METRICS: "key", BATON_METRICS_KEY: key });
		const status = async (authorization?: string) =>
			(await fetch(`${url}/metrics`, authorization ? { headers: { authorization } } : {})).status;
		expect(await status(`Bearer ${key}`)).toBe(200);
		expect(await status()).toBe(401);
		expect(await status(`Bearer ${key}x`)).toBe(401);
		expect(await status(`Bearer ${apiKey}`)).toBe(401);
	});

	it("key, without one: Baton does not start", async () => {
		const refused = await runBaton(["start"], { home: home.path, env: { BATON_METRICS: "key" } });
		expect(refused.exit.code).toBe(2);
		expect(refused.stderr).toContain("BATON_METRICS_KEY");
	});
});
