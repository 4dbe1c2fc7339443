import type { CloudApiEvent } from "./cloud-api-event";
import type { SessionWriter } from "./session-writer";
import type { Settings } from "./settings";
import type { TurnConnection } from "./turn-connection";

/** How long the server's id of the turn is waited for, when it is not known yet. */
const LEARN_MS = 5_000;

interface AbortTurnOptions {
	settings: Settings;
	connection: TurnConnection;
	writer: SessionWriter;
}

/**
 * Ends a turn that its caller has left, at the server too. When the server has not told its id yet,
 * reading goes on until it does, for a moment.
 */
export class AbortTurn {
	readonly #options: AbortTurnOptions;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#begun = false;

	constructor(options: AbortTurnOptions) {
		this.#options = options;
	}

	/** `isReading`: a read is under way; whoever waits for it hands it in by `takeOver`. */
	begin(isReading: boolean): void {
		if (this.#begun) return;
		this.#begun = true;
		if (this.#options.connection.sessionId !== undefined) {
			this.#finish();
			return;
		}
		this.#timer = setTimeout(() => this.#finish(), LEARN_MS);
		if (!isReading) void this.#learn();
	}

	/** Takes what a read brought that was under way when the caller left. */
	takeOver(events: CloudApiEvent[]): void {
		if (this.#timer === undefined) return;
		this.#see(events);
		void this.#learn();
	}

	#see(events: CloudApiEvent[]): void {
		const { connection } = this.#options;
		for (const event of events) {
			if (!connection.isOurs(event)) continue;
			connection.advance(event);
			if (event.type !== "init" || typeof event.session_id !== "string") continue;
			connection.sessionId = event.session_id;
		}
	}

	async #learn(): Promise<void> {
		const { connection } = this.#options;
		try {
			while (connection.sessionId === undefined && this.#timer !== undefined) {
				const events = await connection.events.next();
				if (events === "ended") break;
				this.#see(events);
			}
		} catch {
			// The stream broke: there is nothing more to learn from it.
		}
		if (this.#timer !== undefined) this.#finish();
	}

	#finish(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const { connection, settings, writer } = this.#options;
		const { sessionId, runId } = connection;
		void connection.close();
		const { headers, endpoint, deps } = settings;
		const abort =
			sessionId !== undefined && connection.numbered
				? deps.abortCloudApi({
						endpoint,
						sessionId,
						...(runId !== undefined && { runId }),
						...(headers && { headers }),
					})
				: Promise.resolve();
		abort.catch(() => settings.warn("The turn could not be ended at the server."));
		writer.end().catch(() => settings.warn("The end of a session could not be stored."));
	}
}
