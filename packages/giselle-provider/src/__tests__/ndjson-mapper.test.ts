import { describe, expect, it } from "vitest";
import {
	type CloudApiEvent,
	createMapperContext,
	extractJsonObjects,
	finishStream,
	mapNdjsonEvent,
	mapNdjsonToStreamParts,
} from "../ndjson-mapper";

const delta = (content: string, seq?: number): CloudApiEvent => ({
	type: "message",
	role: "assistant",
	content,
	delta: true,
	...(seq !== undefined && { seq }),
});
const zeroUsage = {
	inputTokens: { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
	outputTokens: { total: 0, text: undefined, reasoning: undefined },
};

describe("the seed's tests", () => {
	it("Test 1: Text-only stream", () => {
		const ctx = createMapperContext();
		expect(ctx).toEqual({ textBlockOpen: false, lastAssistantContent: "" });

		const r1 = mapNdjsonEvent({ type: "init", session_id: "s1" }, ctx);
		expect(r1.parts).toEqual([{ type: "response-metadata" }]);
		expect(r1.sessionUpdate?.geminiSessionId).toBe("s1");

		// The installed type has an `id` on every text part.
		const r2 = mapNdjsonEvent(delta("Hello "), ctx);
		expect(r2.parts).toEqual([
			{ type: "text-start", id: "text-0-1" },
			{ type: "text-delta", id: "text-0-1", delta: "Hello " },
		]);
		const r3 = mapNdjsonEvent(delta("world!"), ctx);
		expect(r3.parts).toEqual([{ type: "text-delta", id: "text-0-1", delta: "world!" }]);
		expect(ctx).toMatchObject({ textBlockOpen: true, lastAssistantContent: "Hello world!" });

		expect(finishStream(ctx)).toEqual([
			{ type: "text-end", id: "text-0-1" },
			{ type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: zeroUsage },
		]);
		expect(ctx.textBlockOpen).toBe(false);
	});

	it("Test 2: Relay tool call interruption", () => {
		const ctx = createMapperContext();
		const r1 = mapNdjsonEvent(delta("Filling "), ctx);
		expect(r1.parts.map(({ type }) => type)).toEqual(["text-start", "text-delta"]);

		const request = {
			type: "snapshot_request",
			requestId: "req-1",
			instruction: "Fill the login form",
			document: "a document",
		};
		const r2 = mapNdjsonEvent(request, ctx);
		// The installed type has `input`, not `args`, and nests usage and reason.
		expect(r2.parts).toEqual([
			{ type: "text-end", id: "text-0-1" },
			{
				type: "tool-call",
				toolCallId: "req-1",
				toolName: "getFormSnapshot",
				input: '{"instruction":"Fill the login form","document":"a document"}',
			},
			{
				type: "finish",
				finishReason: { unified: "tool-calls", raw: "snapshot_request" },
				usage: zeroUsage,
			},
		]);
		expect(r2.relayRequest).toBe(request);
		expect(r2.sessionUpdate?.pendingRequestId).toBe("req-1");
		expect(ctx.textBlockOpen).toBe(false);
	});

	it("Test 3: extractJsonObjects handles partial buffers", () => {
		const { objects, rest } = extractJsonObjects('{"a":1}\n{"b":2}\n{"c":');
		expect(objects).toEqual(['{"a":1}', '{"b":2}']);
		expect(rest).toBe('{"c":');
	});
});

describe("extractJsonObjects", () => {
	it.each<[string, string, string[], string]>([
		["emits an object when it closes, without a newline", '{"a":1}', ['{"a":1}'], ""],
		["emits two objects of one line", '{"a":1}{"b":2}\n', ['{"a":1}', '{"b":2}'], ""],
		["respects strings and escapes", '{"a":"}\\"{"}', ['{"a":"}\\"{"}'], ""],
		["tracks depth", '{"a":{"b":{}}}', ['{"a":{"b":{}}}'], ""],
		["takes CRLF, blank lines and a byte order mark", '\ufeff{"a":1}\r\n\r\n', ['{"a":1}'], ""],
		["keeps a cut inside a string", '{"a":"x', [], '{"a":"x'],
		["keeps a cut inside an escape", '{"a":"x\\', [], '{"a":"x\\'],
		["skips a line of junk", 'oops\n{"a":1}\n', ['{"a":1}'], ""],
		["finds its footing after a stray brace", '{oops\n{"a":1}\n', ['{"a":1}'], ""],
		["finds its footing after a stray quote", '{"oops\n{"a":1}\n', ['{"a":1}'], ""],
		["skips what closes and is no JSON", '{oops}\n{"a":1}', ['{"a":1}'], ""],
		["skips arrays", '[{"a":1}]\n{"b":2}', ['{"b":2}'], ""],
		["ignores what follows an object", '{"a":1} and\n{"b":2}', ['{"a":1}', '{"b":2}'], ""],
		["stays in a junk line that goes on", 'oops {"a":1}', [], "?"],
	])("%s", (_title, buffer, objects, rest) => {
		expect(extractJsonObjects(buffer)).toEqual({ objects, rest });
	});
});

describe("mapNdjsonEvent", () => {
	const map = (event: CloudApiEvent) => mapNdjsonEvent(event, createMapperContext());

	it("gives a whole message a block of its own", () => {
		const ctx = createMapperContext();
		mapNdjsonEvent(delta("open", 3), ctx);
		const whole = { type: "message", role: "assistant", content: "whole", seq: 4 };
		expect(mapNdjsonEvent(whole, ctx).parts).toEqual([
			{ type: "text-end", id: "text-3" },
			{ type: "text-start", id: "text-4" },
			{ type: "text-delta", id: "text-4", delta: "whole" },
			{ type: "text-end", id: "text-4" },
		]);
		expect(ctx).toMatchObject({ textBlockOpen: false, lastAssistantContent: "" });
	});

	it.each<[string, CloudApiEvent]>([
		["an empty message", { type: "message", role: "assistant", content: "" }],
		["the user's message", { type: "message", role: "user", content: "hi" }],
		["tool_use", { type: "tool_use", tool_id: "t", tool_name: "ls", parameters: {} }],
		["tool_result", { type: "tool_result", tool_id: "t", status: "success" }],
		["stderr", { type: "stderr", content: "warning" }],
		["an unknown event", { type: "later", content: 1 }],
		["an event without a type", {}],
		["a warning", { type: "error", severity: "warning", message: "slow" }],
		["a request without an id", { type: "snapshot_request", instruction: "x" }],
		["a message without content", { type: "message", role: "assistant", delta: true }],
	])("says nothing for %s", (_title, event) => {
		expect(map(event).parts).toEqual([]);
	});

	it("tells the model of init, and stores ids and credentials", () => {
		expect(map({ type: "init", session_id: "s", model: "gemini-2.5" })).toEqual({
			parts: [{ type: "response-metadata", modelId: "gemini-2.5" }],
			sessionUpdate: { geminiSessionId: "s" },
		});
		expect(map({ type: "sandbox", sandbox_id: "b" })).toEqual({
			parts: [{ type: "response-metadata" }],
			sessionUpdate: { sandboxId: "b" },
		});
		const relay = { type: "relay.session", sessionId: "r", token: "t", relayUrl: "u" };
		expect(map(relay)).toEqual({
			parts: [],
			sessionUpdate: { relaySessionId: "r", relayToken: "t", relayUrl: "u" },
		});
	});

	it("maps execute_request to executeFormActions", () => {
		const request = {
			type: "execute_request",
			requestId: "req-2",
			actions: [{ action: "click", fieldId: "f" }],
			fields: [{ fieldId: "f" }],
		};
		const result = map(request);
		expect(result.parts).toMatchObject([
			{
				type: "tool-call",
				toolCallId: "req-2",
				toolName: "executeFormActions",
				input: JSON.stringify({ actions: request.actions, fields: request.fields }),
			},
			{ type: "finish", finishReason: { unified: "tool-calls" } },
		]);
		expect(result.relayRequest).toBe(request);
		expect(result.sessionUpdate).toEqual({ pendingRequestId: "req-2" });
	});

	it("shows the agent's own tools when asked to, each once", () => {
		const ctx = { ...createMapperContext(), agentTools: true };
		const use = { type: "tool_use", tool_id: "t1", tool_name: "ls", parameters: { dir: "." } };
		const done = { type: "tool_result", tool_id: "t1", status: "success", output: "a.txt" };
		const parts = mapNdjsonToStreamParts([delta("x"), use, use, done, done], ctx);
		expect(parts.slice(2)).toEqual([
			{ type: "text-end", id: "text-0-1" },
			{
				type: "tool-call",
				toolCallId: "t1",
				toolName: "ls",
				input: '{"dir":"."}',
				providerExecuted: true,
				dynamic: true,
			},
			{ type: "tool-result", toolCallId: "t1", toolName: "ls", result: "a.txt", dynamic: true },
		]);
	});

	it("tells at the end what people should know about the turn", () => {
		const ctx = createMapperContext();
		mapNdjsonEvent({ type: "result", status: "success", notice: "demo answered" }, ctx);
		expect(finishStream(ctx)).toMatchObject([
			{ type: "finish", providerMetadata: { giselle: { notice: "demo answered" } } },
		]);
	});

	it("takes usage from the result", () => {
		const ctx = createMapperContext();
		const stats = { input_tokens: 10, output_tokens: 5, cached: 4, input: 6 };
		mapNdjsonEvent({ type: "result", status: "success", stats }, ctx);
		expect(finishStream(ctx)).toEqual([
			{
				type: "finish",
				finishReason: { unified: "stop", raw: "success" },
				usage: {
					inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
					outputTokens: { total: 5, text: undefined, reasoning: undefined },
					raw: stats,
				},
			},
		]);
	});

	it.each<[string, CloudApiEvent, string]>([
		["error", { type: "error", severity: "error", message: "no quota" }, "no quota"],
		["result: error", { type: "result", status: "error", error: { message: "boom" } }, "boom"],
		["a dropped turn", { type: "result", status: "dropped" }, "dropped"],
		["a non-zero exit", { type: "exit", code: 2 }, "exit code 2"],
	])("turns %s into an error part and finish(error)", (_title, event, words) => {
		const ctx = createMapperContext();
		const { parts } = mapNdjsonEvent(event, ctx);
		expect(parts).toMatchObject([
			{ type: "error", error: { code: "agent_failed", message: expect.stringContaining(words) } },
		]);
		expect(finishStream(ctx)).toMatchObject([
			{ type: "finish", finishReason: { unified: "error" } },
		]);
	});

	it("does not let an agent that only wrote to its error output look like a success", () => {
		const ctx = createMapperContext();
		mapNdjsonEvent({ type: "stderr", content: "secret-key is wrong" }, ctx);
		const parts = finishStream(ctx);
		expect(parts).toMatchObject([
			{ type: "error" },
			{ type: "finish", finishReason: { unified: "error" } },
		]);
		expect(JSON.stringify(parts)).not.toContain("secret-key");
	});
});
