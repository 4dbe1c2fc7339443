import type { Line } from "../agent-api/line";

/** One turn as the log has it: what was withdrawn is left out. */
export interface LoggedTurn {
	runId: string;
	/** The page's own name for it, or the run's id for a turn from elsewhere. */
	key: string;
	content: string;
	events: Line[];
	isOpen: boolean;
}

interface LoggedConversation {
	/** Messages of turns whose events are no longer kept. */
	earlier: { role: "user" | "assistant"; content: string; runId: string }[];
	turns: LoggedTurn[];
	/** The last line's number. */
	last: number;
}

/** Sorts the lines of a session by their turns. Pure. */
export function turnsOf(lines: readonly Line[]): LoggedConversation {
	let earlier: LoggedConversation["earlier"] = [];
	const turns = new Map<string, LoggedTurn>();
	let last = 0;
	for (const line of lines) {
		if (line.type === "reset") {
			turns.clear();
			earlier = messagesIn(line);
			last = Math.max(0, Number(line.first) - 1);
			continue;
		}
		if (line.seq === undefined || line.repeated === true) continue;
		last = line.seq;
		if (line.type === "input_admitted") addTurn(turns, line);
		const turn = turns.get(line.run_id ?? "");
		if (turn) addEvent(turn, line);
	}
	return {
		earlier: earlier.filter(({ runId }) => !turns.has(runId)),
		turns: [...turns.values()],
		last,
	};
}

function addTurn(turns: Map<string, LoggedTurn>, line: Line): void {
	const { run_id: runId = "", content, idempotency_key: key } = line;
	turns.set(runId, {
		runId,
		key: typeof key === "string" ? key : runId,
		content: typeof content === "string" ? content : "",
		events: [],
		isOpen: true,
	});
}

function addEvent(turn: LoggedTurn, line: Line): void {
	if (line.type === "retract") {
		const upTo = Number(line.up_to);
		turn.events = turn.events.filter(({ seq = 0 }) => seq > upTo);
		return;
	}
	if (line.type === "result") turn.isOpen = false;
	turn.events.push(line);
}

function messagesIn(reset: Line): LoggedConversation["earlier"] {
	const messages = Array.isArray(reset.messages) ? (reset.messages as Line[]) : [];
	return messages.flatMap(({ role, content, run_id: runId = "" }, index) => {
		if ((role !== "user" && role !== "assistant") || typeof content !== "string") return [];
		return [{ role, content, runId: runId || `row-${index}` } as const];
	});
}
