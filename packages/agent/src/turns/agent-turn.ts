import type { RelayResponse } from "@baton/protocol";
import type { Collection, JsonObject, Lease, SessionRecord } from "@baton/session";
import { AgentFailure, type AgentMemory, type ToolRequest, type Turn } from "../agent";
import { openRequest, settleRequest } from "../requests";
import type { EventWriter } from "./event-writer";
import type { OpenRun } from "./open-runs";
import type { SessionValue } from "./session-value";
import { readHistory } from "./transcript";

interface AgentTurnParts {
	sessions: Collection<SessionValue>;
	lease: Lease;
	run: OpenRun;
	owner: string;
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
		owner: parts.owner,
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
	const options = { lease, runId: run.runId };
	const { requestId, seq } = await openRequest(sessions, lease.id, request, options);
	const waiting = { after: seq, signal, timeoutMs, lease };
	const end = await settleRequest(sessions, lease.id, requestId, waiting);
	if (end.kind === "answered") return end.response;
	if (end.reason === "expired") {
		const seconds = Math.round(timeoutMs / 1000);
		throw new AgentFailure("no_answer", `The page did not answer within ${seconds} s.`, {
			retryable: true,
		});
	}
	throw new AgentFailure("request_closed", `The request was closed: ${end.reason}.`);
}

/** An agent's part of the session record, written through at once. */
export function createAgentMemory(
	sessions: Collection<SessionValue>,
	sessionId: string,
	agent: string,
	initial: JsonObject,
	/** Told of the record as it was written. */
	onWritten: (record: SessionRecord<SessionValue>) => void,
): AgentMemory {
	let memory = initial;
	return {
		get: () => structuredClone(memory),
		async set(changes) {
			const record = await sessions.update(sessionId, (value) => ({
				...value,
				memory: { ...value.memory, [agent]: merge(value.memory?.[agent] ?? {}, changes) },
			}));
			memory = record.value.memory[agent] ?? {};
			onWritten(record);
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
