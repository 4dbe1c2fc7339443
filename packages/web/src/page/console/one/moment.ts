import type { Mark } from "./marks";

/** How a session stood when an event had just been stored. */
export interface Moment {
	state: "empty" | "queued" | "running" | "waiting" | "done" | "failed" | "stopped" | "dropped";
	/** Where the turn that it is about began, or 0 when that is not known, and what was said. */
	turnSeq: number;
	runId: string | undefined;
	said: string;
	/** 1, or more when a runner was lost. */
	attempt: number;
	/** Turns behind it in the queue. */
	queued: number;
	stopAsked: boolean;
	/** Text before this was taken back. */
	textFrom: number;
}

interface Run {
	seq: number;
	said: string;
	attempt: number;
	stopAsked: boolean;
	textFrom: number;
	pending: Set<string>;
	ended: string | undefined;
}

const ENDS: Readonly<Record<string, Moment["state"]>> = {
	success: "done",
	error: "failed",
	aborted: "stopped",
	dropped: "dropped",
};

/** A pure function of what the log holds up to that moment. */
export function momentOf(marks: readonly Mark[]): Moment {
	const runs = new Map<string, Run>();
	let latest: string | undefined;
	for (const mark of marks) {
		if (mark.type === "input_admitted" && mark.runId) {
			runs.set(mark.runId, newRun(mark.seq, mark.words));
			latest ??= mark.runId;
		} else if (mark.runId && !runs.has(mark.runId)) {
			// Its beginning is not kept, or not read yet.
			runs.set(mark.runId, newRun(0, ""));
		}
		apply(runs, mark);
		if (mark.runId && mark.type !== "input_admitted") latest = mark.runId;
	}
	const open = [...runs].filter(([, { ended }]) => ended === undefined);
	const [runId, run] = open.find(([, { attempt }]) => attempt > 0) ??
		open[0] ?? [latest, runs.get(latest ?? "")];
	if (!run) return NOTHING;
	return {
		state: stateOf(run),
		turnSeq: run.seq,
		runId,
		said: run.said,
		attempt: run.attempt,
		queued: Math.max(0, open.length - 1),
		stopAsked: run.stopAsked,
		textFrom: run.textFrom,
	};
}

const NOTHING: Moment = {
	state: "empty",
	turnSeq: 0,
	runId: undefined,
	said: "",
	attempt: 0,
	queued: 0,
	stopAsked: false,
	textFrom: 0,
};

function newRun(seq: number, said: string): Run {
	return {
		seq,
		said,
		attempt: 0,
		stopAsked: false,
		textFrom: seq,
		pending: new Set(),
		ended: undefined,
	};
}

function apply(runs: Map<string, Run>, mark: Mark): void {
	const run = runs.get(mark.runId ?? "");
	if (mark.type === "abort_requested") {
		const open = [...runs.values()].filter(({ ended }) => ended === undefined);
		for (const one of run ? [run] : mark.runId ? [] : open) one.stopAsked = true;
		return;
	}
	if (mark.type === "request_answered" || mark.type === "request_closed") {
		for (const one of runs.values()) one.pending.delete(mark.requestId ?? "");
		return;
	}
	if (!run) return;
	switch (mark.type) {
		case "init":
			run.attempt = Math.max(run.attempt, 1);
			return;
		case "recovered":
			run.attempt = mark.attempt ?? run.attempt + 1;
			return;
		case "retract":
			run.textFrom = Math.max(run.textFrom, mark.upTo ?? mark.seq);
			return;
		case "snapshot_request":
		case "execute_request":
			run.pending.add(mark.requestId ?? "");
			return;
		case "result":
			run.ended = mark.status ?? "success";
	}
}

function stateOf({ ended, pending, attempt }: Run): Moment["state"] {
	if (ended !== undefined) return ENDS[ended] ?? "done";
	if (attempt === 0) return "queued";
	return pending.size > 0 ? "waiting" : "running";
}
