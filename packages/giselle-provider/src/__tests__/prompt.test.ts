import { describe, expect, it } from "vitest";
import { extractToolResults, extractUserMessage, toolResultToRelayResponse } from "../index";
import { said, toolResult, user } from "./prompts";

describe("extractUserMessage", () => {
	it("joins the text of the last message of the user", () => {
		const last = { role: "user" as const, content: [...user("a").content, ...user("b").content] };
		expect(extractUserMessage([user("x"), last as never, said("y")])).toBe("ab");
		expect(extractUserMessage([said("y")])).toBe("");
	});
});

describe("extractToolResults", () => {
	it("takes every result, unwrapped", () => {
		const prompt = [
			user("x"),
			...toolResult("r1", { type: "json", value: { fields: [1] } }),
			...toolResult("r2", { type: "text", value: '{"report":{}}' }, "executeFormActions"),
			...toolResult("r3", { type: "text", value: "plain" }),
			...toolResult("r4", { type: "content", value: [{ type: "text", text: "[1]" }] }),
		];
		expect(extractToolResults(prompt)).toEqual([
			{ toolName: "getFormSnapshot", toolCallId: "r1", result: { fields: [1] } },
			{ toolName: "executeFormActions", toolCallId: "r2", result: { report: {} } },
			{ toolName: "getFormSnapshot", toolCallId: "r3", result: "plain" },
			{ toolName: "getFormSnapshot", toolCallId: "r4", result: [1] },
		]);
	});
});

describe("toolResultToRelayResponse", () => {
	it.each([
		[
			"getFormSnapshot",
			{ fields: [1] },
			{ type: "snapshot_response", requestId: "r", fields: [1] },
		],
		[
			"getFormSnapshot",
			{ fields: [], opaque: [{ reason: "cross-origin-frame" }], truncated: true, more: 1 },
			{
				type: "snapshot_response",
				requestId: "r",
				fields: [],
				opaque: [{ reason: "cross-origin-frame" }],
				truncated: true,
			},
		],
		[
			"executeFormActions",
			{ report: { applied: 1 } },
			{ type: "execute_response", requestId: "r", report: { applied: 1 } },
		],
		["other", {}, { type: "error_response", requestId: "r", message: "Unknown tool: other" }],
		[
			"getFormSnapshot",
			{ error: "no form" },
			{ type: "error_response", requestId: "r", message: "no form" },
		],
		[
			"getFormSnapshot",
			"nothing",
			{ type: "error_response", requestId: "r", message: "The page told no fields." },
		],
		[
			"executeFormActions",
			{ report: null },
			{ type: "error_response", requestId: "r", message: "The page told no report." },
		],
	])("%s %o", (toolName, result, response) => {
		expect(toolResultToRelayResponse(toolName, "r", result)).toEqual(response);
	});
});
