import { randomUUID } from "node:crypto";
import type { RelayResponse } from "@baton/protocol";
import type { Collection, JsonObject, Lease } from "@baton/session";
import { AgentFailure, type AgentMemory, type ToolRequest, type Turn } from "../agent";
import { closeRequest, openRequest, waitForAnswer } from "../requests";
import type { EventWriter } from "./event-writer";
import type { OpenRun } from "./open-runs";
import type { SessionValue } from "./session-value";
import { readHistory } from "./transcript";

interface AgentTurnParts {
	sessions: Collection<SessionValue>;
	lease: Lease;
	run: OpenRun;
	attempt: number;
	writer: EventWriter;
	signal: AbortSignal;
	memory: AgentMemory;
	answerMs: number;
	announce: Turn["announce"];
}

/** What an agent gets for one turn, on top of the session. */
export function createAgentTurn(parts: AgentTurnParts): Turn {
	const { sessions, lease, run, signal } = parts;
	const sessionId = lease.id;
	return {
		sessionId,
		runId: run.runId,
		attempt: parts.attempt,
		input: {
			content: run.content,
			...(run.document !== undefined && { document: run.document }),
		},
		history: () => readHistory(sessions, sessionId, run.runId),
		signal,
		memory: parts.memory,
		announce: parts.announce,
		ask: (request, options) => ask(parts, request, options?.timeoutMs ?? parts.answerMs),
	};
}

async function ask(
	{ sessions, lease, run, writer, signal }: AgentTurnParts,
	request: ToolRequest,
	timeoutMs: number,
): Promise<RelayResponse> {
	// A reader must see what was said before it sees what is asked.
	await writer.drain();
	const requestId = randomUUID();
	const event = { ...request, requestId };
	const { seq } = await openRequest(sessions, lease.id, event, { lease, runId: run.runId });
	const waiting = { after: seq, signal, timeoutMs };
	let outcome = await waitForAnswer(sessions, lease.id, requestId, waiting);
	if (outcome.kind === "timeout" || outcome.kind === "aborted") {
		const reason = outcome.kind === "timeout" ? "expired" : "aborted";
		const closed = await closeRequest(sessions, lease.id, requestId, reason, { lease });
		// An answer that came in the last moment counts.
		if (!closed) outcome = await waitForAnswer(sessions, lease.id, requestId, { after: seq });
	}
	switch (outcome.kind) {
		case "answered":
			return outcome.response;
		case "aborted":
			throw new AgentFailure("aborted", "The turn was stopped while the page was asked.");
		case "closed":
			throw new AgentFailure("request_closed", `The request was closed: ${outcome.reason}.`);
		case "timeout":
			throw new AgentFailure(
				"no_answer",
				`The page did not answer within ${Math.round(timeoutMs / 1000)} s.`,
				{ retryable: true },
			);
	}
}

/** An agent's part of the session record, written through at once. */
export function createAgentMemory(
	sessions: Collection<SessionValue>,
	sessionId: string,
	agent: string,
	initial: JsonObject,
): AgentMemory {
	let memory = structuredClone(initial);
	return {
		get: () => structuredClone(memory),
		async set(changes) {
			const { value } = await sessions.update(sessionId, (value) => ({
				...value,
				memory: { ...value.memory, [agent]: merge(value.memory?.[agent] ?? {}, changes) },
			}));
			memory = value.memory[agent] ?? {};
		},
	};
}

function merge(memory: JsonObject, changes: JsonObject): JsonObject {
	const merged = { ...memory, ...changes };
	for (const [key, value] of Object.entries(merged)) {
		if (value === null) delete merged[key];
	}
	return merged;
}
