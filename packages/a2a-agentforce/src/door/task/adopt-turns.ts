import { EVENTS_LOG, type SessionValue } from "@baton/agent";
import type { Collection, LogEntry } from "@baton/session";
import { parseMessageKey } from "./message-key";
import { type FoundTask, OF_ANY_AGENT, type TaskIndex } from "./task-index";

interface OwnContext {
	owner: string;
	agent: string;
	sessionId: string;
	contextId: string;
}

const SLICE = 1_000;
/** How far back turns are looked for; those that are open and the latest that has ended in any case. */
const EVENTS = 5_000;

/**
 * Turns of a context that came through other doors, as far back as is looked. Each is a task from now
 * on: its caller may read, follow and cancel it, at any agent of the door.
 */
export async function adoptTurns(
	index: TaskIndex,
	sessions: Collection<SessionValue>,
	{ owner, agent, sessionId, contextId }: OwnContext,
): Promise<FoundTask[]> {
	const session = await sessions.get(sessionId);
	if (!session) return [];
	const { settledSeq = 0, latestTurnSeq = 0 } = session.value;
	const adopted: FoundTask[] = [];
	const { last: end } = await sessions.state(sessionId, EVENTS_LOG);
	let after = Math.max(Math.min(latestTurnSeq, settledSeq + 1, end - EVENTS) - 1, 0);
	for (;;) {
		const { entries, last } = await sessions.read(sessionId, EVENTS_LOG, { after, limit: SLICE });
		for (const entry of entries) {
			const runId = runFromElsewhere(entry);
			if (runId === null) continue;
			const task = { sessionId, contextId, messageId: runId, seq: entry.seq };
			await index.add(runId, { owner, agent: OF_ANY_AGENT, ...task }, session.ttlMs);
			const found = await index.find(owner, agent, runId);
			if (found) adopted.push({ ...found, contextId });
		}
		after = entries.at(-1)?.seq ?? last;
		if (after >= last) return adopted;
	}
}

/** The run of an input that did not come by A2A. */
function runFromElsewhere(entry: LogEntry): string | null {
	if (!entry.json.startsWith('{"type":"input_admitted"')) return null;
	const { run_id: runId, idempotency_key: key } = entry.event as {
		run_id?: string;
		idempotency_key?: string;
	};
	return runId === undefined || parseMessageKey(key) !== null ? null : runId;
}
