import { APICallError } from "@ai-sdk/provider";
import type { CloudApiEvent } from "./cloud-api-event";
import { connect } from "./connect";
import type { EventReader, NoEvents } from "./event-reader";
import { RelayRequests } from "./relay-requests";
import type { Settings } from "./settings";
import { sleep } from "./sleep";
import type { SessionMetadata } from "./types";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** How many times longer a server without heartbeats may be silent. */
const PLAIN_PATIENCE = 15;

export interface TurnConnectionOptions {
	settings: Settings;
	events: EventReader;
	/** `seq` of the last line that was handled before. */
	cursor?: number;
	runId?: string;
	/** The conversation at the server, if it is known. */
	sessionId?: string;
	relayRequests?: RelayRequests | null;
	/** Asks for the turn again from its start, while nothing of it has come. */
	resend?: (signal: AbortSignal) => Promise<EventReader>;
}

/** Why there are no more events. `cause` is the reader's failure, if that was it. */
export interface Over {
	over: "ended" | "broken";
	cause?: unknown;
}

/**
 * The events of one turn, wherever they come from: when the stream breaks and the server numbers its
 * lines, it attaches again after the last one, and nobody above notices.
 */
export class TurnConnection {
	readonly #settings: Settings;
	readonly #resend: TurnConnectionOptions["resend"];
	events: EventReader;
	cursor: number | undefined;
	/** The cursor before the first line of this leg. */
	start: number | undefined;
	runId: string | undefined;
	/** The server numbers its lines: it can be attached to, and says when a turn is over. */
	numbered: boolean;
	/** The conversation at the server, once it is known. */
	sessionId: string | undefined;
	relayRequests: RelayRequests | null;
	#stopped: AbortController = new AbortController();
	/** Since when nothing new has come from a broken stream. */
	#brokenSince: number | null = null;
	/** The stream was silent for so long that it was given up. */
	#gaveUp = false;
	#watch: ReturnType<typeof setInterval>;

	constructor(options: TurnConnectionOptions) {
		const { settings, events, cursor, runId, sessionId, relayRequests } = options;
		this.#settings = settings;
		this.#resend = options.resend;
		this.events = events;
		this.cursor = cursor;
		this.start = cursor;
		this.sessionId = sessionId;
		this.runId = runId;
		this.numbered = cursor !== undefined;
		this.relayRequests = relayRequests ?? null;
		// A read that waited through a pause has waited for nobody.
		if (events.waitingSince !== null) events.waitingSince = Date.now();
		this.#watch = setInterval(() => this.#checkSilence(), settings.silenceMs / 4);
		(this.#watch as { unref?: () => void }).unref?.();
	}

	/** The next events, at least one; within a time, if one is given. */
	async next(withinMs?: number): Promise<CloudApiEvent[] | "silent" | Over> {
		for (;;) {
			let cause: unknown;
			let events: CloudApiEvent[] | NoEvents = "ended";
			try {
				if (withinMs !== undefined) events = await this.events.nextWithin(withinMs);
				else if (this.relayRequests) events = await this.#nextOfBoth(this.relayRequests);
				else events = await this.events.next();
			} catch (error) {
				cause = error;
			}
			if (events !== "ended") return events;
			const hasEnd = this.numbered || this.#resend !== undefined;
			const isBroken = cause !== undefined || this.events.isCut || hasEnd || this.#gaveUp;
			if (!isBroken) return { over: "ended" };
			if (this.#stopped.signal.aborted || !(await this.#attachAgain())) {
				return { over: "broken", cause };
			}
		}
	}

	/** Whether a line is of this turn and new. */
	isOurs(event: CloudApiEvent): boolean {
		const { seq, run_id: runId } = event;
		if (typeof seq === "number" && event.repeated !== true) {
			if (this.cursor !== undefined && seq <= this.cursor) return false;
		}
		return typeof runId !== "string" || this.runId === undefined || runId === this.runId;
	}

	/** Moves the cursor past a line. */
	advance(event: CloudApiEvent): void {
		const { seq, run_id: runId } = event;
		if (typeof seq === "number") {
			this.numbered = true;
			this.#brokenSince = null;
			this.start ??= seq - 1;
			if (event.repeated !== true) this.cursor = seq;
		}
		if (this.runId === undefined && typeof runId === "string") this.runId = runId;
	}

	/** A server without numbers may tell its requests beside the stream alone: they are listened to. */
	subscribe(relay: SessionMetadata): void {
		const { relaySessionId: sessionId, relayToken: token, relayUrl } = relay;
		// Without an address of its own, the relay of such a server is known by its answers alone.
		if (this.numbered || this.relayRequests || !sessionId || !token || !relayUrl) return;
		const { createRelaySubscription } = this.#settings.deps;
		const subscription = (async () => createRelaySubscription({ sessionId, token, relayUrl }))();
		this.relayRequests = new RelayRequests(subscription);
	}

	/** Gives up the stream for a new one, attached after the same line. */
	renew(): void {
		void this.events.reader.cancel().catch(() => {});
	}

	/** Ends the reading; the turn at the server goes on. */
	async close(): Promise<void> {
		this.detach();
		await Promise.allSettled([this.events.reader.cancel(), this.relayRequests?.close()]);
	}

	/** Gives reader and subscription away: this object does nothing more with them. */
	detach(): void {
		this.#stopped.abort();
		clearInterval(this.#watch);
	}

	async #nextOfBoth(requests: RelayRequests): Promise<CloudApiEvent[] | "ended"> {
		const request = requests.nextRequest().then(
			(event) => ({ event }),
			() => "lost" as const,
		);
		const first = await Promise.race([this.events.ready(), request]);
		if (first === undefined) return this.events.next();
		if (first === "lost") {
			this.#settings.warn("The relay's own stream was lost; requests on the turn's stream count.");
			await requests.close();
			this.relayRequests = null;
			return this.events.next();
		}
		requests.taken();
		return [first.event];
	}

	async #attachAgain(): Promise<boolean> {
		const { reconnectMs } = this.#settings;
		const reconnect = this.#reconnect();
		if (!reconnect || reconnectMs === 0) return false;
		this.#brokenSince ??= Date.now();
		void this.events.reader.cancel().catch(() => {});
		const { signal } = this.#stopped;
		let pause = 0;
		while (!signal.aborted && Date.now() - this.#brokenSince < reconnectMs) {
			await sleep(pause, signal);
			if (signal.aborted) break;
			pause = Math.min(Math.max(pause * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
			try {
				this.events = await reconnect(signal);
				return true;
			} catch (error) {
				if (isFinal(error)) return false;
			}
		}
		return false;
	}

	/** How the same turn is reached again. A server that was not heard at all is told the message again. */
	#reconnect(): TurnConnectionOptions["resend"] {
		const { sessionId, cursor: after } = this;
		if (!this.numbered) return this.#resend;
		if (sessionId === undefined) return undefined;
		const asked = { sessionId, attach: true, ...(after !== undefined && { after }) };
		return (signal) => connect(this.#settings, { ...asked, signal });
	}

	#checkSilence(): void {
		// Only a server that numbers its lines promises heartbeats; others may think for longer.
		const limit = this.#settings.silenceMs * (this.numbered ? 1 : PLAIN_PATIENCE);
		const { waitingSince } = this.events;
		if (waitingSince === null || Date.now() - waitingSince < limit) return;
		this.#gaveUp = true;
		this.events.waitingSince = Date.now();
		this.renew();
	}
}

/** A refusal that no later try will change. */
function isFinal(error: unknown): boolean {
	return APICallError.isInstance(error) && !error.isRetryable;
}
