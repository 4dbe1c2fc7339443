import { type SessionValue, TRANSCRIPT, type TranscriptRow, type Turns } from "@baton/agent";
import { type Collection, isBatonError, type LogEntry } from "@baton/session";
import { type ChatEvent, isTerminal } from "./chat-event";
import { EventMapper } from "./event-mapper";

/** A turn that was admitted: the session core sees that it runs, here or in another process. */
export interface AgentTurn {
	turns: Turns;
	sessions: Collection<SessionValue>;
	sessionKey: string;
	runId: string;
	/** The seq of its input, or any before it. */
	seq: number;
	signal?: AbortSignal;
}

type Terminal = Extract<ChatEvent, { type: "final" | "error" }>;

/**
 * Sees a turn through to its end, and hands over what happens in it, in order. Returns the terminal
 * event, or null when the signal came first.
 */
export async function runAgentTurn(
	turn: AgentTurn,
	onEvents: (events: ChatEvent[]) => void | Promise<void> = () => {},
): Promise<Terminal | null> {
	const { turns, sessionKey, runId, seq, signal } = turn;
	const mapper = new EventMapper(sessionKey);
	const options = { after: Math.max(seq - 1, 0), ...(signal && { signal }) };
	/** After a reset: the seq by which the turn must have shown itself again. */
	let lostUnlessBy: number | null = null;
	try {
		for await (const { entries, reset } of turns.follow(sessionKey, options)) {
			if (reset) lostUnlessBy = (await turns.position(sessionKey)).last;
			const own = entries.filter((entry) => isOfRun(entry, runId));
			if (own.length > 0) lostUnlessBy = null;
			const events = own.flatMap((entry) => mapper.map(entry) ?? []);
			const seen = entries.at(-1)?.seq ?? (reset ? reset.first - 1 : 0);
			if (lostUnlessBy !== null && seen >= lostUnlessBy) events.push(await endOfLost(turn, seen));
			if (events.length > 0) await onEvents(events);
			const end = events.find(isTerminal);
			if (end) return end as Terminal;
		}
	} catch (error) {
		if (!isBatonError(error, "not_found")) throw error;
		const end = gone(turn);
		await onEvents([end]);
		return end;
	}
	return null;
}

/** Looks at the text: in a JSON string a quote is escaped. */
function isOfRun(entry: LogEntry, runId: string): boolean {
	return entry.json.includes(`"run_id":"${runId}"`);
}

/** A turn whose events the store no longer has: its row in the transcript tells how it ended. */
async function endOfLost(turn: AgentTurn, seq: number): Promise<Terminal> {
	const { sessions, sessionKey, runId } = turn;
	const { entries } = await sessions.tail(sessionKey, TRANSCRIPT, 500);
	const row = entries
		.map(({ event }) => event as TranscriptRow)
		.findLast((one) => one.runId === runId && one.role === "assistant");
	const of = { sessionKey, runId, seq };
	if (row?.status === "success") {
		return { type: "final", usage: { inputTokens: 0, outputTokens: 0 }, ...of };
	}
	const message = row?.error ?? "The store lost this turn. Send the message again.";
	return { type: "error", message, code: "lost", retryable: !row, ...of };
}

function gone({ sessionKey, runId, seq }: AgentTurn): Terminal {
	const message = "The session was deleted.";
	return { type: "error", message, code: "not_found", retryable: false, sessionKey, runId, seq };
}
