import type { SessionValue } from "./session-port";
import type { Sessions } from "./sessions";
import type { ChatMemory, SessionMetadata } from "./types";

/**
 * Writes a run's metadata behind the stream: events never wait for the store, and a request that
 * arrives during a write is not lost. Updates are joined, and written one after the other.
 */
export class SessionWriter {
	readonly metadata: SessionMetadata;
	readonly #sessions: Sessions;
	#waiting: Partial<SessionMetadata> | null = null;
	#writing: Promise<void> | null = null;
	#error: unknown;
	/** What was stored last. */
	stored: SessionValue | undefined;

	constructor(sessions: Sessions, metadata: SessionMetadata) {
		this.#sessions = sessions;
		this.metadata = { ...metadata };
	}

	/** Changes the metadata now, and in the store soon. */
	write(updates: Partial<SessionMetadata>): void {
		Object.assign(this.metadata, updates);
		this.#waiting = { ...this.#waiting, ...updates };
		this.#writing ??= this.#run();
	}

	/** Resolves when everything is stored; rejects when something could not be. */
	async flush(): Promise<void> {
		while (this.#writing) await this.#writing;
		if (this.#error === undefined) return;
		const error = this.#error;
		this.#error = undefined;
		throw error;
	}

	/** The run is over. The chat keeps what goes on after it. */
	async end(): Promise<void> {
		await this.flush().catch(() => {});
		const { providerSessionId: id, geminiSessionId, sandboxId, chatId } = this.metadata;
		const { cursor, runId, repeated } = this.metadata;
		const memory: ChatMemory = { geminiSessionId, sandboxId, cursor, runId, repeated };
		await Promise.all([
			this.#sessions.delete(id),
			// Without a chat of its own, the conversation is known by the run that began it.
			geminiSessionId !== undefined && this.#sessions.endRun(id, chatId, memory),
		]);
	}

	async #run(): Promise<void> {
		// Lines that come in one read, such as `relay.session` and `init`, become one write.
		await Promise.resolve();
		while (this.#waiting) {
			const updates = this.#waiting;
			this.#waiting = null;
			try {
				await this.#store(updates);
			} catch (error) {
				this.#error = error;
			}
		}
		this.#writing = null;
	}

	async #store(updates: Partial<SessionMetadata>): Promise<void> {
		const { providerSessionId: id, chatId } = this.metadata;
		const { geminiSessionId, sandboxId, cursor, runId, repeated } = this.metadata;
		const forChat = "geminiSessionId" in updates || "sandboxId" in updates || "cursor" in updates;
		const memory = { geminiSessionId, sandboxId, cursor, runId, repeated, providerSessionId: id };
		const [stored] = await Promise.all([
			this.#sessions.save(this.metadata, updates),
			chatId !== undefined && forChat && this.#sessions.updateChat(chatId, memory),
		]);
		this.stored = stored ?? undefined;
	}
}
