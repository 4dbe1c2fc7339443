import {
	isBatonError,
	type Json,
	type Lease,
	type LogRow,
	type SessionRecord,
} from "@baton/session";
import { closePending } from "./close-pending";
import { MAX_TEXT, type OpenRun } from "./open-runs";
import { EVENTS, RUN_REGISTER, type SessionValue } from "./session-value";
import { noteSettled, settledValue } from "./settlement";
import { rowOf } from "./transcript";
import type { TurnEnd } from "./turn-end";
import type { TurnSettings } from "./turn-settings";
import { traceEnd } from "./turn-trace";

/** A run that has come to its end, with what its runner knows. */
interface RunAtEnd {
	settings: TurnSettings;
	lease: Lease;
	run: OpenRun;
	/** The agent's name. */
	agent: string;
	/** 0: it never started. */
	attempt: number;
	text: string;
	/** What the agent waits for, if it ended its turn with a question. */
	awaits: string | null;
	/** Where the log ends and the record as it was last read, if nothing else is open or waits. */
	alone: { last: number; record: SessionRecord<SessionValue> } | null;
}

/** `isSettled`: nothing is left to do, and the lease is given up. */
export interface EndedRun {
	last: number;
	isSettled: boolean;
}

/**
 * Commits the messages, the person's too should its sender have died, and the terminal event: exactly
 * one, for a turn that was started by its register. Where nobody else has written, the session is
 * settled in the same step.
 */
export async function endRun(at: RunAtEnd, end: TurnEnd): Promise<EndedRun> {
	const { settings, lease, run, agent } = at;
	const { sessions } = settings;
	const { runId } = run;
	traceEnd(runId, end.status);
	const result: Json = {
		type: "result",
		run_id: runId,
		agent,
		...(end as Record<string, Json>),
		timestamp: new Date().toISOString(),
	};
	const before = rowsOf(at, end);
	const settled = await settle(at, result, before);
	if (settled) return settled;
	const [isCurrent] = await Promise.all([
		isStarted(at),
		closePending(sessions, lease, end.status === "aborted" ? "aborted" : "ended"),
	]);
	const swap = { register: RUN_REGISTER, from: runId, to: null };
	const options = { lease, before, ...(isCurrent && { swap }) };
	const { last } = await sessions.append(lease.id, EVENTS, [result], options);
	return { last, isSettled: false };
}

/** The end and the settling of the session as one step, or null when there is more to see to. */
async function settle(
	{ settings, lease, run, attempt, alone }: RunAtEnd,
	result: Json,
	before: LogRow[],
): Promise<EndedRun | null> {
	if (!alone || attempt === 0) return null;
	const { sessions, keepEventsMs, keepEvents } = settings;
	const { record, last: ifLast } = alone;
	const last = ifLast + 1;
	// So long a log is to be cut, under the lease.
	if (last > keepEvents) return null;
	const value = settledValue(record.value, last, run.seq);
	try {
		const { recordChanged } = await sessions.append(lease.id, EVENTS, [result], {
			lease,
			ifLast,
			swap: { register: RUN_REGISTER, from: run.runId, to: null },
			before,
			settle: { version: record.version, value, alarmMs: keepEventsMs },
		});
		if (recordChanged) await noteSettled(sessions, lease.id, last, run.seq);
		return { last, isSettled: true };
	} catch (error) {
		if (isBatonError(error, "conflict")) return null;
		throw error;
	}
}

function rowsOf({ run, text, awaits }: RunAtEnd, end: TurnEnd): LogRow[] {
	const { runId, content } = run;
	const timestamp = Date.now();
	const user = rowOf({ role: "user", content, timestamp, runId });
	if (end.status === "dropped") return [user];
	const cut = text.length >= MAX_TEXT ? "\n\n… (cut: the events have the rest)" : "";
	const assistant = rowOf({
		role: "assistant",
		content: text + cut,
		timestamp,
		runId,
		status: end.status,
		...(end.status === "error" && { error: end.error.message }),
		...(end.status === "success" && awaits !== null && { awaits }),
	});
	return [user, assistant];
}

/** A turn that was never started may still have been given the register, when it was admitted. */
async function isStarted({ settings, lease, run, attempt }: RunAtEnd): Promise<boolean> {
	if (attempt > 0) return true;
	const { registers } = await settings.sessions.state(lease.id, EVENTS);
	return registers[RUN_REGISTER] === run.runId;
}
