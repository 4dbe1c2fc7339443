import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { giselle } from "../index";
import { createMapperContext } from "../mapper-context";
import { createMemorySessions } from "../memory-sessions";
import { extractJsonObjects, mapNdjsonToStreamParts } from "../ndjson-mapper";
import { collectParts, textOf } from "../testing";
import { user } from "./prompts";

const id = fc.constantFrom("a", "b", "c");
// On the wire, ids of requests and of the agent's own tools are never the same.
const toolId = fc.constantFrom("x", "y");
const text = fc.string({ unit: "binary", maxLength: 12 });
const event = fc.oneof(
	fc.record({ type: fc.constant("message"), role: fc.constant("assistant"), content: text }),
	fc.record({
		type: fc.constant("message"),
		role: fc.constantFrom("assistant", "user"),
		content: text,
		delta: fc.constant(true),
	}),
	fc.record({ type: fc.constant("init"), session_id: id, model: text }),
	fc.record({ type: fc.constant("sandbox"), sandbox_id: id }),
	fc.record({ type: fc.constant("snapshot_request"), requestId: id, instruction: text }),
	fc.record({ type: fc.constant("execute_request"), requestId: id, actions: fc.constant([]) }),
	fc.record({ type: fc.constant("request_answered"), requestId: id, response: fc.object() }),
	fc.record({ type: fc.constant("request_closed"), requestId: id, reason: text }),
	fc.record({
		type: fc.constant("tool_use"),
		tool_id: toolId,
		tool_name: id,
		parameters: fc.object(),
	}),
	fc.record({
		type: fc.constant("tool_result"),
		tool_id: toolId,
		status: text,
		output: fc.jsonValue(),
	}),
	fc.record({ type: fc.constant("stderr"), content: text }),
	fc.record({ type: fc.constant("error"), message: text, severity: text }),
	fc.record({ type: fc.constant("retract"), up_to: fc.nat(9) }),
	fc.record({ type: fc.constant("reset"), messages: fc.constant([{ role: "assistant" }]) }),
	fc.record({ type: fc.constantFrom("result", "exit"), status: text, code: fc.nat(2) }),
	fc.object(),
);
const line = fc.oneof(
	{ weight: 8, arbitrary: event.map((value) => JSON.stringify(value)) },
	{ weight: 1, arbitrary: text.map((junk) => junk.replaceAll("\n", "")) },
	{ weight: 1, arbitrary: fc.constantFrom("{", "}", '"', '{"', "[]", "\r", "null") },
);

/** The bytes of a text, in pieces of these sizes, then the rest. */
function chunksOf(all: string, sizes: number[]): Uint8Array[] {
	const bytes = new TextEncoder().encode(all);
	const chunks: Uint8Array[] = [];
	let at = 0;
	for (const size of sizes) {
		chunks.push(bytes.slice(at, at + size));
		at += size;
	}
	return [...chunks, bytes.slice(at)];
}

async function partsOf(chunks: Uint8Array[]): Promise<LanguageModelV3StreamPart[]> {
	const connectCloudApi = async () => {
		const stream = new ReadableStream<Uint8Array>({
			start(controller) {
				for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
				controller.close();
			},
		});
		return { reader: stream.getReader(), response: new Response() };
	};
	const model = giselle({
		cloudApiUrl: "http://agent.test",
		sessions: createMemorySessions(),
		deps: { connectCloudApi },
		requestGraceMs: 1,
		reconnectMs: 0,
		showAgentTools: true,
	});
	const { stream } = await model.doStream({ prompt: [user("go")] });
	return collectParts(stream);
}

/** What does not depend on the call: everything but ids and times of the session. */
const content = (parts: LanguageModelV3StreamPart[]) =>
	JSON.stringify(parts.slice(1), (key, value) => (key === "sessionId" ? "" : value));

describe("any lines, in any pieces", () => {
	it("are a well formed stream, the same however they are cut", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(line, { maxLength: 20 }),
				fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }),
				async (lines, sizes) => {
					const all = lines.map((each) => `${each}\n`).join("");
					const whole = await partsOf(chunksOf(all, []));
					const cut = await partsOf(chunksOf(all, sizes));
					expect(content(cut)).toBe(content(whole));
				},
			),
			{ numRuns: 300 },
		);
	});

	it("give every text exactly once", async () => {
		const words = fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 8 }));
		const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(words, sizes, async (said, cuts) => {
				const events = said.map((word) => ({
					type: "message",
					role: "assistant",
					content: word,
					delta: true,
				}));
				const all = events.map((each) => `${JSON.stringify(each)}\n`).join("");
				expect(textOf(await partsOf(chunksOf(all, cuts)))).toBe(said.join(""));
			}),
			{ numRuns: 200 },
		);
	});

	it("come out of extractJsonObjects as they went in, called chunk by chunk", () => {
		fc.assert(
			fc.property(fc.array(line), fc.array(fc.nat(30)), (lines, cuts) => {
				const all = lines.map((each) => `${each}\n`).join("");
				const whole = extractJsonObjects(all).objects;
				const pieces: string[] = [];
				let [at, rest] = [0, ""];
				for (const size of [...cuts, all.length]) {
					const found = extractJsonObjects(rest + all.slice(at, at + size));
					pieces.push(...found.objects);
					rest = found.rest;
					at += size;
				}
				expect(pieces).toEqual(whole);
			}),
		);
	});

	it("never make the mapper throw", () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(event, fc.object())), (events) => {
				mapNdjsonToStreamParts(events, createMapperContext());
			}),
		);
	});
});

describe("a long line in small pieces", () => {
	it("is read in linear time", async () => {
		const content = "x".repeat(4 * 1024 * 1024);
		const all = `${JSON.stringify({ type: "message", role: "assistant", content })}\n`;
		const bytes = new TextEncoder().encode(all);
		const chunks = Array.from({ length: Math.ceil(bytes.length / 1024) }, (_, index) =>
			bytes.slice(index * 1024, (index + 1) * 1024),
		);
		const started = performance.now();
		expect(textOf(await partsOf(chunks))).toHaveLength(content.length);
		expect(performance.now() - started).toBeLessThan(2_000);
	});
});
