import { EVENTS_LOG, readTranscriptPage, type SessionValue } from "@baton/agent";
import { type Collection, isBatonError, type LogEntry, type Reset } from "@baton/session";
import { toMessages } from "./chat-message";
import { EventMapper, mergeDeltas } from "./event-mapper";
import { chatFrame, encodeFrame, type Frame } from "./frame";
import type { SessionFrames } from "./session-frames";

/** Entries that are read at a time. */
const BATCH = 500;
/** Messages of the conversation that a reset brings along. */
const RESET_MESSAGES = 100;

interface SubscriptionOptions {
	sessions: Collection<SessionValue>;
	sessionKey: string;
	after: number;
	shared: SessionFrames;
	namesAborted: boolean;
	maxResetBytes: number;
	/** Sends frames at the reader's pace, while they are wanted. True: the reader is behind. */
	send(frames: readonly Frame[], isWanted: () => boolean): Promise<boolean>;
	/** Resolves when this session's events may be sent: after the answer to a request about it. */
	released(): Promise<void> | undefined;
}

/** One reader of one session: every event after its cursor, once, in order, at its own pace. */
export class Subscription {
	readonly #options: SubscriptionOptions;
	readonly #stop = new AbortController();
	#mapper: EventMapper;

	constructor(options: SubscriptionOptions) {
		this.#options = options;
		this.#mapper = new EventMapper(options.sessionKey);
	}

	/** Resolves when it was stopped, or when its session was deleted. */
	async run(): Promise<"stopped" | "deleted"> {
		const isWanted = () => !this.#stop.signal.aborted;
		const { sessions, sessionKey, after } = this.#options;
		const options = { after, signal: this.#stop.signal, limit: BATCH };
		let isBehind = false;
		try {
			for await (const { entries, reset } of sessions.follow(sessionKey, EVENTS_LOG, options)) {
				const frames = reset ? [await this.#reset(reset)] : [];
				frames.push(...this.#frames(entries, isBehind));
				await this.#options.released();
				if (!isWanted()) break;
				isBehind = await this.#options.send(frames, isWanted);
			}
		} catch (error) {
			if (isBatonError(error, "not_found")) return "deleted";
			throw error;
		}
		return "stopped";
	}

	stop(): void {
		this.#stop.abort();
	}

	/** A reader who is behind gets its deltas merged; the others get the frames of all. */
	#frames(entries: readonly LogEntry[], merged: boolean): Frame[] {
		const { shared, namesAborted } = this.#options;
		if (merged || namesAborted) {
			const events = entries.flatMap((entry) => this.#mapper.map(entry) ?? []);
			return (merged ? mergeDeltas(events) : events).map((one) => chatFrame(one, namesAborted));
		}
		const frames: Frame[] = [];
		for (const entry of entries) {
			const frame = shared.frame(entry, this.#mapper);
			if (frame) frames.push(frame);
		}
		return frames;
	}

	async #reset({ reason, first }: Reset): Promise<Frame> {
		const { sessions, sessionKey, maxResetBytes } = this.#options;
		this.#mapper = new EventMapper(sessionKey);
		const { entries: kept, ...page } = await readTranscriptPage(sessions, sessionKey, {
			limit: RESET_MESSAGES,
			maxBytes: maxResetBytes,
		});
		const seq = Math.max(first - 1, 0);
		return encodeFrame({
			event: "chat.reset",
			data: { sessionKey, reason, seq, messages: toMessages(kept), ...page },
		});
	}
}
