import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { NdjsonParser } from "../ndjson/ndjson-parser";
import { type BatonEvent, type EventType, eventSchemas, isTerminal } from "./baton-event";
import { parseEvent } from "./parse-event";

/** For each type: the least event, every field it may have, and changes that make it wrong. */
interface Example {
	least: Record<string, unknown>;
	full: Record<string, unknown>;
	/** Path of a field, and the value that it must not have (undefined: it must not be missing). */
	wrong: [field: string, value: unknown][];
}

const snapshotResponse = {
	type: "snapshot_response",
	requestId: "r1",
	fields: [{ fieldId: "f1" }],
};
const stats = {
	total_tokens: 30,
	input_tokens: 20,
	output_tokens: 10,
	cached: 0,
	input: 20,
	duration_ms: 119,
	tool_calls: 1,
	models: { "gemini-2.5-flash": { total_tokens: 30 } },
};

const examples: Record<EventType, Example> = {
	init: {
		least: { session_id: "s1" },
		full: { session_id: "s1", model: "gemini-2.5-flash", agent: "gemini" },
		wrong: [
			["session_id", undefined],
			["model", 1],
		],
	},
	sandbox: {
		least: { sandbox_id: "b1" },
		full: { sandbox_id: "b1" },
		wrong: [["sandbox_id", undefined]],
	},
	message: {
		least: { role: "assistant", content: "" },
		full: { role: "user", content: "hi", delta: true },
		wrong: [
			["role", "robot"],
			["content", undefined],
			["delta", "true"],
		],
	},
	tool_use: {
		least: { tool_id: "t1", tool_name: "list", parameters: {} },
		full: { tool_id: "t1", tool_name: "list", parameters: { dir: "." } },
		wrong: [
			["tool_id", undefined],
			["tool_name", undefined],
			["parameters", "none"],
		],
	},
	tool_result: {
		least: { tool_id: "t1", status: "success" },
		full: { tool_id: "t1", status: "error", output: [1], error: { type: "x", message: "no" } },
		wrong: [
			["tool_id", undefined],
			["status", "maybe"],
			["error.message", undefined],
		],
	},
	stderr: { least: { content: "w" }, full: { content: "w" }, wrong: [["content", null]] },
	error: {
		least: { message: "slow" },
		full: { severity: "warning", message: "slow" },
		wrong: [
			["message", undefined],
			["severity", 2],
		],
	},
	artifact: {
		least: { path: "a.txt" },
		full: { path: "a.txt", size_bytes: 3, mime_type: "text/plain", label: "A" },
		wrong: [
			["path", undefined],
			["size_bytes", "3"],
		],
	},
	progress: {
		least: { message: "Looking it up" },
		full: { message: "Looking it up" },
		wrong: [["message", undefined]],
	},
	citations: {
		least: { references: [] },
		full: { references: [{ link: "https://example.com/a", value: "A" }] },
		wrong: [
			["references", undefined],
			["references.0", "A"],
		],
	},
	input_required: {
		least: {},
		full: { reason: "a later word" },
		wrong: [["reason", 1]],
	},
	escalated: {
		least: { targets: [] },
		full: { targets: [{ type: "queue", id: "q1" }] },
		wrong: [
			["targets", undefined],
			["targets.0", "q1"],
		],
	},
	context_lost: { least: {}, full: { reason: "expired" }, wrong: [["reason", 1]] },
	agent_session_ended: { least: {}, full: { reason: "idle" }, wrong: [["reason", 1]] },
	result: {
		least: { status: "dropped" },
		full: {
			status: "error",
			error: { type: "runner_lost", message: "gone", retryable: true },
			stats,
			notice: "Served by demo.",
		},
		wrong: [
			["status", "done"],
			["error.message", undefined],
			["stats.input_tokens", "20"],
		],
	},
	"relay.session": {
		least: { sessionId: "s", token: "t", expiresAt: 1, relayUrl: "/agent-api/relay" },
		full: { sessionId: "s", token: "t", expiresAt: 1, relayUrl: "/agent-api/relay" },
		wrong: [
			["sessionId", undefined],
			["token", undefined],
			["expiresAt", "soon"],
			["relayUrl", undefined],
		],
	},
	snapshot_request: {
		least: { requestId: "r1", instruction: "look" },
		full: { requestId: "r1", instruction: "look", document: "d", repeated: true },
		wrong: [
			["requestId", undefined],
			["instruction", undefined],
			["repeated", false],
		],
	},
	execute_request: {
		least: { requestId: "r1", actions: [], fields: [] },
		full: {
			requestId: "r1",
			actions: [{ action: "click", fieldId: "f1" }],
			fields: [{ fieldId: "f1" }],
			repeated: true,
		},
		wrong: [
			["requestId", undefined],
			["actions", {}],
			["actions.0", "click"],
			["fields", undefined],
		],
	},
	request_claimed: {
		least: { requestId: "r1", claimId: "c1" },
		full: { requestId: "r1", claimId: "c1" },
		wrong: [
			["requestId", undefined],
			["claimId", undefined],
		],
	},
	request_answered: {
		least: { requestId: "r1", response: snapshotResponse },
		full: { requestId: "r1", response: { ...snapshotResponse, extra: 1 } },
		wrong: [
			["requestId", undefined],
			["response.type", "other_response"],
			["response.requestId", undefined],
			["response.fields", undefined],
		],
	},
	request_closed: {
		least: { requestId: "r1", reason: "recovered" },
		full: { requestId: "r1", reason: "a later word" },
		wrong: [
			["requestId", undefined],
			["reason", undefined],
		],
	},
	input_admitted: {
		least: { run_id: "u1", content: "hi" },
		full: { run_id: "u1", content: "hi", document: "d", agent: "demo", idempotency_key: "k" },
		wrong: [
			["run_id", undefined],
			["content", undefined],
		],
	},
	abort_requested: {
		least: {},
		full: { run_id: "u1", reason: "user" },
		wrong: [
			["run_id", 1],
			["reason", 1],
		],
	},
	recovered: {
		least: { run_id: "u1", policy: "retry", attempt: 2 },
		full: {
			run_id: "u1",
			policy: "resume",
			attempt: 3,
			losses: 1,
			prompt: "Go on.",
			reason: "runner_lost",
		},
		wrong: [
			["run_id", undefined],
			["policy", "fail"],
			["attempt", 1],
			["losses", -1],
		],
	},
	handed_over: {
		least: { run_id: "u1" },
		full: { run_id: "u1" },
		wrong: [["run_id", undefined]],
	},
	retract: {
		least: { run_id: "u1", up_to: 7 },
		full: { run_id: "u1", up_to: 7, reason: "retry" },
		wrong: [
			["run_id", undefined],
			["up_to", 1.5],
		],
	},
	reset: {
		least: { reason: "trimmed", first: 1, messages: [] },
		full: {
			reason: "diverged",
			first: 9,
			messages: [{ role: "user", content: "hi", run_id: "u1" }],
		},
		wrong: [
			["reason", undefined],
			["first", -1],
			["messages", undefined],
			["messages.0.role", "robot"],
		],
	},
};

/** A copy with the value at the path changed. */
function changed(event: Record<string, unknown>, path: string, value: unknown) {
	const copy = structuredClone(event);
	const keys = path.split(".");
	const last = keys.pop()!;
	let target = copy;
	for (const key of keys) target = target[key] as Record<string, unknown>;
	if (value === undefined) delete target[last];
	else target[last] = value;
	return copy;
}

describe.each(Object.keys(eventSchemas) as EventType[])("%s", (type) => {
	const { least, full, wrong } = examples[type];

	it.each([
		["with its required fields alone", { type, ...least }],
		["with every field", { type, ...full }],
		["in an envelope", { run_id: "u1", ...full, type, seq: 7, timestamp: "2026-11-15T10:04:09Z" }],
		["with fields that nobody knows", { type, ...full, later: { a: [1] } }],
	])("is an event %s, handed back as it is", (_, value) => {
		const before = JSON.stringify(value);
		const parsed = parseEvent(value);
		expect(parsed).toEqual({ kind: "event", event: value });
		expect(parsed.kind === "event" && parsed.event).toBe(value);
		expect(JSON.stringify(value)).toBe(before);
	});

	it.each([...wrong, ["seq", 0], ["seq", "7"], ["run_id", 5]] as typeof wrong)(
		"is invalid when %s is %j, and the problem names the field",
		(field, value) => {
			const parsed = parseEvent(changed({ type, ...full }, field, value));
			expect(parsed).toMatchObject({ kind: "invalid", problem: { type, field } });
		},
	);
});

describe("answers of the client", () => {
	it.each([
		{ type: "snapshot_response", requestId: "r1", fields: [] },
		{ type: "execute_response", requestId: "r1", report: { applied: 1, skipped: 0, warnings: [] } },
		{ type: "error_response", requestId: "r1", message: "The person said no." },
	])("$type is taken", (response) => {
		const event = { type: "request_answered", requestId: "r1", response };
		expect(parseEvent(event)).toEqual({ kind: "event", event });
	});
});

describe("what is no event of this version", () => {
	it.each(["future_event", "constructor", "__proto__", "toString", ""])(
		"type %j passes untouched",
		(type) => {
			const value = { type, seq: -1, anything: { deep: [null] } };
			const parsed = parseEvent(value);
			expect(parsed.kind).toBe("unknown");
			expect(parsed.kind === "unknown" && parsed.event).toBe(value);
		},
	);

	it.each([null, undefined, 1, "text", [], {}, { type: 1 }, { type: null }])(
		"%j is invalid",
		(value) => {
			expect(parseEvent(value)).toMatchObject({ kind: "invalid", problem: { type: null } });
		},
	);

	it("never throws, for any JSON and any type", () => {
		const type = fc.constantFrom(...Object.keys(eventSchemas), "other");
		const fields = fc.dictionary(
			fc.constantFrom("requestId", "response", "status", "stats", "messages", "role", "__proto__"),
			fc.jsonValue(),
		);
		fc.assert(
			fc.property(type, fields, (name, rest) => {
				const { kind } = parseEvent({ ...rest, type: name });
				expect(["event", "unknown", "invalid"]).toContain(kind);
			}),
			{ numRuns: 2000 },
		);
	});
});

describe("recorded streams", () => {
	const fixtures = new URL("../../fixtures/", import.meta.url);
	for (const name of readdirSync(fixtures)) {
		it(`${name}: every line is an event of the protocol, and the last one alone is terminal`, () => {
			const items = new NdjsonParser().push(new Uint8Array(readFileSync(new URL(name, fixtures))));
			const events = items.map((item) => parseEvent(item.kind === "object" && item.value));
			expect(events.map((parsed) => parsed.kind)).toEqual(events.map(() => "event"));
			const terminal = events.map((parsed) => parsed.kind === "event" && isTerminal(parsed.event));
			expect(terminal.indexOf(true)).toBe(events.length - 1);
		});
	}
});

it("narrows by type", () => {
	const event = { type: "message", role: "user", content: "hi" } as BatonEvent;
	if (event.type === "message") expectTypeOf(event.content).toEqualTypeOf<string>();
	if (event.type === "result")
		expectTypeOf(event.error?.retryable).toEqualTypeOf<boolean | undefined>();
	if (isTerminal(event)) expectTypeOf(event.type).toEqualTypeOf<"result">();
	expect(isTerminal(event)).toBe(false);
});
