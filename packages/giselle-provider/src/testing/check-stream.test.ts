import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { noUsage } from "../map-usage";
import { checkStream } from "./check-stream";

type Part = LanguageModelV3StreamPart;

const start = (id = "a"): Part => ({ type: "text-start", id });
const delta = (id = "a"): Part => ({ type: "text-delta", id, delta: "x" });
const end = (id = "a"): Part => ({ type: "text-end", id });
const call = (id = "t", more: object = {}): Part => ({
	type: "tool-call",
	toolCallId: id,
	toolName: "ls",
	input: "{}",
	...more,
});
const result = (id = "t"): Part => ({
	type: "tool-result",
	toolCallId: id,
	toolName: "ls",
	result: "x",
});
const finish = (unified: "stop" | "tool-calls" = "stop", usage = noUsage()): Part => ({
	type: "finish",
	finishReason: { unified, raw: undefined },
	usage,
});
const executed = { providerExecuted: true };

describe("checkStream", () => {
	it("finds nothing in a well formed stream", () => {
		const parts: Part[] = [
			{ type: "stream-start", warnings: [] },
			{ type: "response-metadata", id: "x" },
			start(),
			start("b"),
			delta(),
			end(),
			end("b"),
			{ type: "tool-input-start", id: "t", toolName: "ls" },
			{ type: "tool-input-delta", id: "t", delta: "{}" },
			{ type: "tool-input-end", id: "t" },
			call(),
			call("p", executed),
			result("p"),
			{ type: "error", error: "x" },
			finish("tool-calls"),
		];
		expect(checkStream(parts)).toEqual([]);
	});

	it.each<[string, Part[], string]>([
		["no finish", [start(), end()], "there is no finish"],
		["two finishes", [finish(), finish()], "finish after finish"],
		["something after finish", [finish(), { type: "raw", rawValue: 1 }], "raw after finish"],
		["a delta without its start", [delta(), finish()], "not open"],
		["an end without its start", [end(), finish()], "not open"],
		["an id opened twice", [start(), end(), start(), end(), finish()], "opened again"],
		["an id never closed", [start(), finish()], "finish while text a is open"],
		["a late stream-start", [start(), end(), { type: "stream-start", warnings: [] }], "first"],
		["input that is no JSON", [call("t", { input: "{" }), finish()], "not JSON"],
		["a call twice", [call(), call(), finish()], "called again"],
		["a result without a call", [result(), finish()], "not called"],
		["a result of the client's call", [call(), result(), finish()], "the client runs"],
		["two results", [call("t", executed), result(), result(), finish()], "second result"],
		["tool-calls without one", [finish("tool-calls")], "none for the client"],
		["tool-calls, all executed", [call("t", executed), finish("tool-calls")], "none for"],
		["usage with a hole", [finish("stop", { ...noUsage(), inputTokens: {} as never })], "total"],
		["no usage", [finish("stop", undefined as never)].map(without), "no inputTokens"],
		["an unknown reason", [finish("done" as never)], "unknown finish reason"],
		["a part of a later version", [{ type: "ping" } as never, finish()], "unknown part"],
		[
			"deltas that give another input",
			[
				{ type: "tool-input-start", id: "t", toolName: "ls" },
				{ type: "tool-input-end", id: "t" },
				call(),
				finish(),
			],
			"differs",
		],
	])("finds %s", (_title, parts, message) => {
		expect(
			checkStream(parts)
				.map((problem) => problem.message)
				.join("; "),
		).toContain(message);
	});
});

function without(part: Part): Part {
	return { ...part, usage: undefined } as unknown as Part;
}
