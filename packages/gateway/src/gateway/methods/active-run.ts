import type { Turns } from "@baton/agent";

/** A turn that was started here and has not ended. Aborting it stores the wish to stop it. */
export class ActiveRun extends AbortController {
	readonly #store: () => Promise<void>;
	#stored: Promise<void> | null = null;

	constructor(
		turns: Turns,
		{ sessionKey, runId }: { sessionKey: string; runId: string },
		onError: (error: unknown) => void,
	) {
		super();
		this.#store = () => turns.abort(sessionKey, runId, "A client asked for it.");
		this.signal.addEventListener("abort", () => void this.stop().catch(onError));
	}

	/** Resolves when the wish is stored; if that failed, it can be called again. */
	stop(): Promise<void> {
		this.#stored ??= this.#store().catch((error: unknown) => {
			this.#stored = null;
			throw error;
		});
		return this.#stored;
	}
}
