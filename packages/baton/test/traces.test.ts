import { type RedisServer, requirePart, startRedis, tempDir, waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";
import { figuresOf } from "./support/figures";
import { startTraceReceiver, type TraceReceiver } from "./support/trace-receiver";
import { allLines, attach, linesOf, readUntil, run, textOf } from "./support/turn";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(endpoint: string, env: Record<string, string> = {}): Promise<Server> {
	const home = await tempDir("baton-traces");
	cleanUps.push(home.remove);
	const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: "50" };
	const server = await startServer({ home: home.path, env: { ...traces, ...env } });
	cleanUps.push(() => server.process.stop());
	return server;
}

async function receive(): Promise<TraceReceiver> {
	const receiver = await startTraceReceiver();
	cleanUps.push(receiver.close);
	return receiver;
}

const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const withCaller = (server: Server, message: string, more: object = {}) =>
	server.call(
		"run",
		{},
		{
			headers: {
				authorization: `Bearer ${server.key}`,
				traceparent: TRACEPARENT,
			},
			body: JSON.stringify({ type: "agent.run", message, ...more }),
		},
	);

describe("a turn in traces", () => {
	it("is one trace through door, turn and store, under the caller's own span", async () => {
		const receiver = await receive();
		const headers = { OTEL_EXPORTER_OTLP_HEADERS: "x-team=blue%20one", OTEL_SERVICE_NAME: "chat" };
		const server = await start(receiver.url, headers);
		const lines = await allLines(await withCaller(server, "/stream 50 words"));
		const init = lines.find(({ type }) => type === "init");
		const { run_id: runId, session_id: sessionId } = init as Record<string, unknown>;
		const find = (name: string) => receiver.spans.find((span) => span.name === name);
		await waitFor(() => find("turn.run") && find("POST /agent-api/run"));
		const ids = { "baton.session.id": sessionId, "baton.run.id": runId };
		const [door, admit, turn] = ["POST /agent-api/run", "turn.admit", "turn.run"].map(find);
		expect(door).toMatchObject({
			...{ traceId: CALLER.traceId, parentSpanId: CALLER.spanId, service: "chat" },
			attributes: { "http.response.status_code": 200, "baton.session.id": sessionId },
		});
		expect(admit).toMatchObject({ parentSpanId: door?.spanId, attributes: ids });
		expect(turn).toMatchObject({
			...{ traceId: CALLER.traceId, parentSpanId: admit?.spanId, failed: false },
			attributes: {
				...{ ...ids, "baton.attempt": 1, "baton.agent": "demo", "baton.turn.status": "success" },
				"baton.text.events": 50,
			},
		});
		const appends = receiver.spans.filter(({ name }) => name === "store.append");
		const inTurn = appends.filter(({ parentSpanId }) => parentSpanId === turn?.spanId);
		expect(appends.some(({ parentSpanId }) => parentSpanId === admit?.spanId)).toBe(true);
		expect(inTurn.length).toBeGreaterThanOrEqual(2); // Its beginning and its end; no word of it.
		expect(inTurn.length).toBeLessThan(10);
		expect(inTurn[0]?.attributes).toMatchObject({
			"baton.session.id": sessionId,
			"db.system.name": "files",
		});
		expect(receiver.headers["x-team"]).toBe("blue one");
	});

	it("through the A2A door is in its caller's trace too", async () => {
		const receiver = await receive();
		const server = await start(receiver.url, { BATON_METRICS: "loopback" });
		const [, url = ""] = /^ *A2A +(http:\S+)/m.exec(server.banner) ?? [];
		const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Hello" }] };
		const answer = await fetch(`${url}/agents/demo`, {
			method: "POST",
			headers: {
				...{ authorization: `Bearer ${server.key}`, "content-type": "application/json" },
				...{ traceparent: TRACEPARENT, "a2a-version": "1.0" },
			},
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }),
		});
		expect(answer.status).toBe(200);
		expect(await answer.json()).toMatchObject({ id: 1, result: {} });
		const find = (name: string) => receiver.spans.find((span) => span.name === name);
		await waitFor(() => find("POST a2a") && find("turn.run"));
		const [door, turn] = ["POST a2a", "turn.run"].map(find);
		expect(door).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId });
		expect(turn).toMatchObject({ traceId: CALLER.traceId });
		const figures = await figuresOf(server);
		expect(figures.of("baton_turns_ended_total", { status: "success" })).toBe(1);
	});

	it("that fails says so", async () => {
		const receiver = await receive();
		const server = await start(receiver.url);
		await allLines(await run(server, "/fail"));
		const turn = await waitFor(() => receiver.spans.find(({ name }) => name === "turn.run"));
		expect(turn).toMatchObject({ failed: true, attributes: { "baton.turn.status": "error" } });
	});

	it("goes on when the collector is away, and so does a stop", async () => {
		const receiver = await startTraceReceiver();
		await receiver.close();
		const server = await start(receiver.url);
		const lines = await allLines(await run(server, "/stream 20 words"));
		expect(lines.at(-1)).toMatchObject({ type: "result", status: "success" });
		server.process.kill("SIGTERM");
		expect(await server.process.exited).toEqual({ code: 0, signal: null });
	});

	it("leaves nothing in the log where traces are off", async () => {
		const home = await tempDir("baton-traces");
		cleanUps.push(home.remove);
		const server = await startServer({ home: home.path });
		cleanUps.push(() => server.process.stop());
		const lines = await allLines(await withCaller(server, "Hello"));
		expect(lines.filter((line) => "traceparent" in line)).toEqual([]);
	});
});

describe.skipIf(!requirePart("redis-server"))("a turn that loses its process", () => {
	it("goes on in the same trace on another one, linked to the attempt that was lost", async () => {
		const redis: RedisServer = await startRedis();
		cleanUps.push(() => redis.stop());
		const receiver = await receive();
		const env = { REDIS_URL: redis.url, BATON_API_KEYS: "ada:ada-key-0123456789" };
		const one = await start(receiver.url, env);
		const other = await start(receiver.url, env);
		const running = linesOf(
			await withCaller(one, "count to 200 every 10ms", { session_id: "kill" }),
		);
		const init = await readUntil(running, ({ type }) => type === "init");
		const [, traceId, attemptSpan] = String(init.traceparent).split("-");
		expect(traceId).toBe(CALLER.traceId);
		await readUntil(running, (line) => String(line.content).trim() === "30");
		one.process.kill("SIGKILL");
		await one.process.exited;
		const lines = await allLines(await attach(other, "kill"));
		expect(textOf(lines).trim().split(/\s+/)).toHaveLength(200);
		const recovered = await waitFor(() =>
			receiver.spans.find(
				({ name, attributes }) => name === "turn.run" && attributes["baton.attempt"] === 2,
			),
		);
		expect(recovered).toMatchObject({
			...{ traceId: CALLER.traceId, links: [attemptSpan] },
			attributes: { "baton.run.id": init.run_id, "baton.turn.status": "success" },
		});
		const admitted = receiver.spans.find(({ name }) => name === "turn.admit");
		expect(admitted?.instance).toMatch(/.\/\d+$/);
		expect(recovered.instance).not.toBe(admitted?.instance);
	});
});
