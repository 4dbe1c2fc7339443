import type { EventType } from "../src/events/baton-event";

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

export const examples: Record<EventType, Example> = {
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
