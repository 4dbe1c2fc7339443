import { type RedisServer, requirePart, startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
	closeSessions,
	createSession,
	type GiselleProviderDeps,
	getLiveConnection,
	giselle,
	loadSession,
	saveLiveConnection,
} from "../index";
import { collectParts } from "../testing";
import { options, toolResult, user } from "./prompts";

type Line = Record<string, unknown>;

/** A stream of lines that stays open until it is ended. */
function lineStream(lines: Line[], { end = true } = {}) {
	const encoder = new TextEncoder();
	const stream = new ReadableStream<Uint8Array>({
		start(controller) {
			for (const line of lines) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
			if (end) controller.close();
		},
	});
	return { reader: stream.getReader(), response: new Response() };
}

const delta = (content: string): Line => ({
	type: "message",
	role: "assistant",
	content,
	delta: true,
});

function mockDeps(connection: ReturnType<typeof lineStream>) {
	return {
		connectCloudApi: vi.fn(async () => connection),
		createRelaySubscription: vi.fn(() => ({
			nextRequest: () => new Promise<never>(() => {}),
			close: vi.fn(),
		})),
		sendRelayResponse: vi.fn(async () => {}),
	} satisfies Partial<GiselleProviderDeps>;
}

describe.skipIf(!requirePart("redis-server"))("the seed's tests", () => {
	let server: RedisServer;
	let redis: Redis;
	const keys = () => redis.keys("giselle:provider:session:*");

	beforeAll(async () => {
		server = await startRedis();
		redis = new Redis(server.url);
		vi.stubEnv("REDIS_URL", server.url);
	});
	beforeEach(() => redis.flushall());
	afterAll(async () => {
		vi.unstubAllEnvs();
		await closeSessions();
		redis.disconnect();
		await server.stop();
	});

	it("Test 1: New session → text-only stream", async () => {
		let stored: string[] = [];
		const connection = lineStream([
			{ type: "init", session_id: "gem-123", model: "gemini-2.5" },
			delta("Hello "),
			delta("world!"),
		]);
		const deps = mockDeps(connection);
		deps.connectCloudApi.mockImplementation(async () => {
			stored = await keys();
			return connection;
		});
		const model = giselle({ cloudApiUrl: "http://agent.test", deps });
		const { stream, response } = await model.doStream({ prompt: [user("Say hello")] });
		const parts = await collectParts(stream);
		const id = response?.headers?.["x-giselle-session-id"];
		expect(parts).toEqual([
			{ type: "response-metadata", id, timestamp: expect.any(Date) },
			{ type: "response-metadata", modelId: "gemini-2.5" },
			{ type: "text-start", id: "text-0-1" },
			{ type: "text-delta", id: "text-0-1", delta: "Hello " },
			{ type: "text-delta", id: "text-0-1", delta: "world!" },
			{ type: "text-end", id: "text-0-1" },
			expect.objectContaining({
				type: "finish",
				finishReason: { unified: "stop", raw: undefined },
			}),
		]);
		expect(deps.connectCloudApi).toHaveBeenCalledExactlyOnceWith(
			expect.objectContaining({
				endpoint: "http://agent.test/agent-api/run",
				message: "Say hello",
			}),
		);
		expect(stored).toEqual([`giselle:provider:session:${id}`]);
		expect(await keys()).toEqual([]);
	});

	it("Test 2: New session → tool call pause", async () => {
		const connection = lineStream(
			[
				{ type: "init", session_id: "gem-123" },
				{ type: "relay.session", sessionId: "r1", token: "t1", relayUrl: "http://relay.test" },
				delta("I'll fill"),
				{ type: "snapshot_request", requestId: "req-1", instruction: "Read the form" },
			],
			{ end: false },
		);
		const model = giselle({ cloudApiUrl: "http://agent.test", deps: mockDeps(connection) });
		const { stream, response } = await model.doStream({ prompt: [user("Fill login form")] });
		const parts = await collectParts(stream);
		expect(parts.slice(2)).toMatchObject([
			{ type: "text-start" },
			{ type: "text-delta", delta: "I'll fill" },
			{ type: "text-end" },
			{ type: "tool-call", toolCallId: "req-1", toolName: "getFormSnapshot" },
			{ type: "finish", finishReason: { unified: "tool-calls" } },
		]);
		const id = response?.headers?.["x-giselle-session-id"] ?? "";
		expect(getLiveConnection(id)?.reader).toBe(connection.reader);
		expect(globalThis.__giselleProviderSessions?.has(id)).toBe(true);
		const record = JSON.parse((await redis.get(`giselle:provider:session:${id}`)) ?? "{}");
		expect(record).toMatchObject({
			providerSessionId: id,
			geminiSessionId: "gem-123",
			relaySessionId: "r1",
			relayToken: "t1",
			relayUrl: "http://relay.test",
			pendingRequestId: "req-1",
		});
		expect(await redis.ttl(`giselle:provider:session:${id}`)).toBeGreaterThan(590);
	});

	it("Test 3: Resume → hot path", async () => {
		// The record and the connection have the seed's fields alone.
		await createSession({
			providerSessionId: "p1",
			geminiSessionId: "gem-123",
			relaySessionId: "r1",
			relayToken: "t1",
			relayUrl: "http://relay.test",
			pendingRequestId: "req-1",
			createdAt: Date.now(),
		});
		const { reader } = lineStream([delta("Done!")]);
		saveLiveConnection("p1", { reader, buffer: "", relaySubscription: null, textBlockOpen: false });
		const deps = mockDeps(lineStream([]));
		const model = giselle({ cloudApiUrl: "http://agent.test", deps });
		const fields = [{ fieldId: "f1" }];
		const { stream } = await model.doStream({
			prompt: [
				user("Fill login form"),
				...toolResult("req-1", { type: "json", value: { fields } }),
			],
			providerOptions: options({ sessionId: "p1" }),
		});
		const parts = await collectParts(stream);
		expect(deps.sendRelayResponse).toHaveBeenCalledExactlyOnceWith(
			expect.objectContaining({
				relayUrl: "http://relay.test",
				sessionId: "r1",
				token: "t1",
				response: { type: "snapshot_response", requestId: "req-1", fields },
			}),
		);
		expect(parts.slice(1)).toMatchObject([
			{ type: "text-start" },
			{ type: "text-delta", delta: "Done!" },
			{ type: "text-end" },
			{
				type: "finish",
				finishReason: { unified: "stop" },
				providerMetadata: { giselle: { sessionId: "p1", resume: "hot" } },
			},
		]);
		expect(deps.connectCloudApi).not.toHaveBeenCalled();
		expect(await loadSession("p1")).toBeNull();
		expect(getLiveConnection("p1")).toBeUndefined();
	});
});
