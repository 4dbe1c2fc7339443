import type { AgentforceSimulator } from "@baton/a2a-agentforce/simulator";

/** One Agentforce simulator for all who need one, started for the first of them. */
export class SharedSimulator {
	readonly #start: () => Promise<AgentforceSimulator>;
	#starting: Promise<AgentforceSimulator> | undefined;

	constructor(start: () => Promise<AgentforceSimulator>) {
		this.#start = start;
	}

	/** A start that failed is tried again by the next who asks. */
	open(): Promise<AgentforceSimulator> {
		this.#starting ??= this.#start().catch((error: unknown) => {
			this.#starting = undefined;
			throw error;
		});
		return this.#starting;
	}

	async close(): Promise<void> {
		const started = await this.#starting?.catch(() => undefined);
		await started?.stop();
	}
}
