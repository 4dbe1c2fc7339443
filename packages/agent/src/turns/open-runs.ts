import type { LogEntry } from "@baton/session";

/** A turn that was admitted and has not ended. */
export interface OpenRun {
	readonly runId: string;
	/** The seq of its input. */
	readonly seq: number;
	readonly content: string;
	readonly document?: string;
	readonly agent?: string;
	/** The trace that its input came in, and the one of the latest attempt. */
	readonly traceparent?: string;
	attemptTraceparent?: string;
	/** 0 before it started. */
	attempt: number;
	/** When it started, by the clock of the process that did. */
	startedAt?: number;
	/** Losses of its process that speak against it, up to the latest attempt. */
	losses: number;
	/** In its latest attempt: whether the agent said or did anything, and whether its process stopped as planned. */
	madeProgress: boolean;
	handedOver: boolean;
	abortRequested: boolean;
	/** What the assistant said so far, without what was retracted. */
	text: string;
}

/** The fields of stored events that decide what is open. All other fields are left alone. */
interface ControlEvent {
	type?: string;
	run_id?: string;
	content?: string;
	document?: string;
	agent?: string;
	traceparent?: string;
	attempt?: number;
	losses?: number;
	timestamp?: string;
	role?: string;
	delta?: boolean;
	up_to?: number;
}

/** How stored text begins: the bulk of a log, and nothing that opens or ends a turn. */
export const TEXT = '{"type":"message"';

export function isText(entry: LogEntry): boolean {
	return entry.json.startsWith(TEXT);
}

/**
 * Which turns are open, as a pure function of the log: the queue is nowhere else. Feed it every entry
 * after a settled seq, in order.
 */
export class OpenRuns {
	readonly #runs = new Map<string, OpenRun>();
	#last: number;

	constructor(settledSeq: number) {
		this.#last = settledSeq;
	}

	/** The seq of the last entry that was fed. */
	get last(): number {
		return this.#last;
	}

	/** In the order of admission. */
	get all(): OpenRun[] {
		return [...this.#runs.values()];
	}

	get(runId: string): OpenRun | undefined {
		return this.#runs.get(runId);
	}

	/** Passes over an entry that changes nothing about what is open. */
	skip(seq: number): void {
		this.#last = seq;
	}

	/** Returns what the entry says, so that the caller can act on it. */
	feed(entry: LogEntry): ControlEvent {
		this.#last = entry.seq;
		const event = (entry.event ?? {}) as ControlEvent;
		const run = event.run_id === undefined ? undefined : this.#runs.get(event.run_id);
		switch (event.type) {
			case "input_admitted":
				this.#admit(entry.seq, event);
				break;
			case "abort_requested":
				for (const one of run ? [run] : event.run_id ? [] : this.all) one.abortRequested = true;
				break;
			case "init":
				if (run) {
					if (run.attempt === 0) run.startedAt = Date.parse(event.timestamp ?? "");
					run.attempt = Math.max(run.attempt, 1);
					noteTrace(run, event);
				}
				break;
			case "recovered":
				if (run) {
					run.attempt = event.attempt ?? run.attempt + 1;
					run.losses = event.losses ?? run.attempt - 1;
					run.madeProgress = false;
					run.handedOver = false;
					noteTrace(run, event);
				}
				break;
			case "handed_over":
				if (run) run.handedOver = true;
				break;
			case "retract":
				if (run) run.text = "";
				break;
			case "message":
				if (run && event.role === "assistant") {
					run.text = joinText(run.text, event);
					run.madeProgress = true;
				}
				break;
			case "tool_use":
			case "tool_result":
				if (run) run.madeProgress = true;
				break;
			case "result":
				if (run) this.#runs.delete(run.runId);
		}
		return event;
	}

	#admit(seq: number, event: ControlEvent): void {
		if (event.run_id === undefined || event.content === undefined) return;
		this.#runs.set(event.run_id, {
			runId: event.run_id,
			seq,
			content: event.content,
			...(event.document !== undefined && { document: event.document }),
			...(event.agent !== undefined && { agent: event.agent }),
			...(event.traceparent !== undefined && { traceparent: event.traceparent }),
			attempt: 0,
			losses: 0,
			madeProgress: false,
			handedOver: false,
			abortRequested: false,
			text: "",
		});
	}
}

function noteTrace(run: OpenRun, { traceparent }: ControlEvent): void {
	if (traceparent !== undefined) run.attemptTraceparent = traceparent;
}

/** A text of this many characters fits into a row of the transcript, however JSON writes it. */
export const MAX_TEXT = 500_000;

/**
 * Text with one more message: a delta continues it, a whole message is a paragraph of its own. A text
 * that is full stays as it is; the events have the rest.
 */
export function joinText(text: string, message: { content?: string; delta?: boolean }): string {
	if (text.length >= MAX_TEXT) return text;
	const content = message.content ?? "";
	const joined = message.delta || text === "" ? text + content : `${text}\n\n${content}`;
	return joined.length > MAX_TEXT ? joined.slice(0, MAX_TEXT) : joined;
}
