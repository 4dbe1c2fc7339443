import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { examples } from "../../test/event-examples";
import { NdjsonParser } from "../ndjson/ndjson-parser";
import { type BatonEvent, type EventType, eventSchemas, isTerminal } from "./baton-event";
import { parseEvent } from "./parse-event";

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
