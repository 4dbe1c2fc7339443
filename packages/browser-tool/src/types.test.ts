import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
	type BrowserToolAction,
	browserToolActionSchema,
	claimBodySchema,
	dispatchBodySchema,
	executionReportSchema,
	fieldKinds,
	type RelayRequest,
	type RelayResponse,
	relayErrorStatus,
	relayRequestSchema,
	relayResponseSchema,
	respondBodySchema,
	type SnapshotField,
	snapshotFieldSchema,
} from "./types";

const field = {
	fieldId: "f1",
	selector: "#color",
	kind: "select",
	label: "Color",
	name: "color",
	required: false,
	placeholder: "Pick one",
	currentValue: "red",
	options: ["red", "blue"],
};
const report = { applied: 1, skipped: 1, warnings: ["f2 is disabled"] };

/** A schema, values it takes exactly as they are, and values it refuses. */
const cases: Record<string, { schema: z.ZodType; takes: unknown[]; refuses: unknown[] }> = {
	SnapshotField: {
		schema: snapshotFieldSchema,
		takes: [
			field,
			...["text", "textarea", "select", "checkbox", "radio"].map((kind) => ({ ...field, kind })),
			{
				fieldId: "f",
				selector: "s",
				kind: "checkbox",
				label: "",
				required: true,
				currentValue: true,
			},
			{
				...field,
				kind: "combobox",
				inputType: "text",
				description: "d",
				legends: ["Address"],
				disabled: true,
				readonly: false,
				invalid: true,
				validationMessage: "Please choose",
				filled: true,
				multiple: true,
				currentValues: ["red"],
				optionDetails: [{ value: "r", label: "red", selected: true, disabled: false, group: "g" }],
				min: 1,
				max: "9",
				step: 1,
				maxLength: 20,
				submits: false,
			},
			{ ...field, somethingLater: { deep: [1] } },
		],
		refuses: [
			{ ...field, kind: "hologram" },
			{ ...field, fieldId: undefined },
			{ ...field, required: "yes" },
			{ ...field, currentValue: 7 },
			{ ...field, options: [1] },
		],
	},
	BrowserToolAction: {
		schema: browserToolActionSchema,
		takes: [
			{ action: "fill", fieldId: "f1", value: "Ada" },
			{ action: "click", fieldId: "f1" },
			{ action: "select", fieldId: "f1", value: "red" },
			{ action: "select", fieldId: "f1", value: "red", values: ["red", "blue"] },
		],
		refuses: [
			{ action: "fill", fieldId: "f1" },
			{ action: "select", fieldId: "f1" },
			{ action: "click" },
			{ action: "eval", fieldId: "f1", value: "alert()" },
		],
	},
	ExecutionReport: {
		schema: executionReportSchema,
		takes: [
			report,
			{
				...report,
				results: [
					{ fieldId: "f1", action: "fill", status: "applied", value: "Ada" },
					{ fieldId: "f2", action: "click", status: "failed", code: "disabled", message: "m" },
					{ fieldId: "f3", action: "fill", status: "skipped", code: "a-later-code" },
				],
			},
		],
		refuses: [
			{ applied: 1, skipped: 0 },
			{ ...report, applied: -1 },
			{ ...report, results: [{ fieldId: "f1", action: "fill", status: "maybe" }] },
		],
	},
	RelayRequest: {
		schema: relayRequestSchema,
		takes: [
			{ type: "snapshot_request", requestId: "r1", instruction: "Read" },
			{ type: "snapshot_request", requestId: "r1", instruction: "", document: "d", run_id: "u1" },
			{ type: "execute_request", requestId: "r1", actions: [], fields: [] },
			{
				type: "execute_request",
				requestId: "r1",
				actions: [{ action: "click", fieldId: "f1" }],
				fields: [field],
			},
		],
		refuses: [
			{ type: "snapshot_request", requestId: "r1" },
			{ type: "snapshot_request", requestId: "", instruction: "Read" },
			{ type: "snapshot_request", requestId: "r".repeat(257), instruction: "Read" },
			{ type: "execute_request", requestId: "r1", actions: [] },
			{ type: "other_request", requestId: "r1" },
		],
	},
	RelayResponse: {
		schema: relayResponseSchema,
		takes: [
			{ type: "snapshot_response", requestId: "r1", fields: [field] },
			{
				type: "snapshot_response",
				requestId: "r1",
				fields: [],
				opaque: [{ reason: "cross-origin frame" }],
				truncated: true,
			},
			{ type: "execute_response", requestId: "r1", report },
			{ type: "error_response", requestId: "r1", message: "No." },
			{ type: "error_response", requestId: "r1", message: "No.", code: "denied" },
		],
		refuses: [
			{ type: "snapshot_response", requestId: "r1" },
			{ type: "execute_response", requestId: "r1", report: {} },
			{ type: "error_response", requestId: "r1" },
			{ type: "snapshot_response", fields: [] },
		],
	},
	"body of relay.dispatch": {
		schema: dispatchBodySchema,
		takes: [
			{
				type: "relay.dispatch",
				sessionId: "s",
				token: "t",
				request: { type: "snapshot_request", requestId: "r1", instruction: "Read" },
				timeoutMs: 1000,
			},
		],
		refuses: [{ type: "relay.dispatch", sessionId: "s", token: "t" }],
	},
	"body of relay.respond": {
		schema: respondBodySchema,
		takes: [
			{
				type: "relay.respond",
				sessionId: "s",
				token: "t",
				response: { type: "error_response", requestId: "r1", message: "No." },
			},
		],
		refuses: [{ type: "relay.respond", sessionId: "s", token: "t", response: null }],
	},
	"body of relay.claim": {
		schema: claimBodySchema,
		takes: [{ type: "relay.claim", sessionId: "s", token: "t", requestId: "r1", claimId: "c-1" }],
		refuses: [{ type: "relay.claim", sessionId: "s", token: "t", requestId: "r1", claimId: "a b" }],
	},
};

describe.each(Object.entries(cases))("%s", (_, { schema, takes, refuses }) => {
	it.each(takes)("takes %j, every field kept", (value) => {
		expect(schema.parse(value)).toEqual(value);
	});

	it.each(refuses)("refuses %j", (value) => {
		expect(schema.safeParse(value).success).toBe(false);
	});
});

it("the kinds that every page sends come first", () => {
	expect(fieldKinds.slice(0, 5)).toEqual(["text", "textarea", "select", "checkbox", "radio"]);
});

it("every refusal has the status of the protocol", () => {
	expect(relayErrorStatus).toMatchObject({
		UNAUTHORIZED: 401,
		NO_BROWSER: 409,
		TIMEOUT: 408,
		INVALID_RESPONSE: 422,
		NOT_FOUND: 404,
		INTERNAL: 500,
	});
});

it("the types narrow by their discriminants", () => {
	expectTypeOf<SnapshotField["currentValue"]>().toEqualTypeOf<string | boolean>();
	expectTypeOf<BrowserToolAction["action"]>().toEqualTypeOf<"fill" | "click" | "select">();
	expectTypeOf<RelayRequest["type"]>().toEqualTypeOf<"snapshot_request" | "execute_request">();
	expectTypeOf<RelayResponse["type"]>().toEqualTypeOf<
		"snapshot_response" | "execute_response" | "error_response"
	>();
	expect(z.toJSONSchema(browserToolActionSchema)).toBeDefined();
});
