import type { Appended, AppendOptions, Json } from "@baton/session";
import type { Makers } from "./makers";
import type { RequestFigures } from "./request-figures";

/** The fields of events that are counted. */
interface CountedEvent {
	type?: string;
	run_id?: string;
	status?: string;
	policy?: string;
	requestId?: string;
	reason?: string;
}

const SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** What becomes of turns, told from the events that this process stores. */
export class TurnFigures {
	readonly #requests: RequestFigures;
	readonly #admitted;
	readonly #started;
	readonly #ended;
	readonly #recovered;
	readonly #seconds;
	readonly #events;
	/** The turn that runs here, of each session: one at most. */
	readonly #running = new Map<string, { runId: string; since: number }>();

	constructor(make: Makers, requests: RequestFigures) {
		this.#requests = requests;
		this.#admitted = make.counter("baton_turns_admitted_total", "Inputs that were stored here.");
		this.#started = make.counter("baton_turns_started_total", "Turns that were begun here.");
		this.#ended = make.counter("baton_turns_ended_total", "Turns that ended here, by result.", [
			"status",
		]);
		this.#recovered = make.counter(
			"baton_recoveries_total",
			"Turns that lost their runner and went on here, by the agent's policy.",
			["policy"],
		);
		this.#seconds = make.histogram(
			"baton_turn_seconds",
			"From the beginning of a turn here, or its recovery, to its end.",
			SECONDS,
		);
		this.#events = make.counter("baton_events_total", "Events that were stored here.");
		make.gauge("baton_turns_running", "Turns that run here now.", [], (gauge) =>
			gauge.set(this.#running.size),
		);
	}

	/** After an append that was stored. */
	appended(args: readonly unknown[], result: unknown): void {
		if ((result as Appended).repeated) return;
		const [sessionId, , events, options] = args as [
			string,
			string,
			readonly Json[],
			AppendOptions | undefined,
		];
		const rows = (options?.before?.length ?? 0) + (options?.after?.length ?? 0);
		this.#events.inc(events.length + rows);
		for (const event of events) {
			const counted = event as CountedEvent | null;
			// Text is most of what there is, and nothing that is counted.
			if (counted?.type !== "message") this.#count(sessionId, counted ?? {}, options);
		}
	}

	/** This process drives the session no longer: what it had begun there is another's. */
	released(sessionId: string): void {
		this.#running.delete(sessionId);
	}

	#count(sessionId: string, event: CountedEvent, options: AppendOptions | undefined): void {
		const { type, run_id: runId = "", requestId = "" } = event;
		switch (type) {
			case "input_admitted":
				this.#admitted.inc();
				break;
			case "init":
				// An agent may announce its model by another one, which begins nothing.
				if (!options?.swap) break;
				this.#started.inc();
				this.#running.set(sessionId, { runId, since: performance.now() });
				break;
			case "recovered":
				this.#recovered.inc({ policy: event.policy ?? "retry" });
				this.#running.set(sessionId, { runId, since: performance.now() });
				break;
			case "result":
				this.#end(sessionId, runId, event.status ?? "error");
				break;
			case "snapshot_request":
			case "execute_request":
				this.#requests.opened(sessionId, requestId);
				break;
			case "request_answered":
				this.#requests.ended(sessionId, requestId, "answered");
				break;
			case "request_closed":
				this.#requests.ended(sessionId, requestId, event.reason ?? "closed");
		}
	}

	#end(sessionId: string, runId: string, status: string): void {
		this.#ended.inc({ status });
		const running = this.#running.get(sessionId);
		if (running?.runId !== runId) return;
		this.#running.delete(sessionId);
		this.#seconds.observe((performance.now() - running.since) / 1_000);
	}
}
