import type { Store } from "@baton/session";

/** How long the store has to answer. Whoever asks gives up soon after. */
const PATIENCE_MS = 2_000;
/** Within this time one look at the store serves everybody who asks. */
const FRESH_MS = 500;

export type Readiness = "ready" | "stopping" | "store unreachable";

/** Says whether new work should be sent here: the process is up, stays, and its store answers. */
export class ReadinessCheck {
	readonly #store: Pick<Store, "check">;
	#looked = Number.NEGATIVE_INFINITY;
	#look: Promise<boolean> = Promise.resolve(false);

	constructor(store: Pick<Store, "check">) {
		this.#store = store;
	}

	async readiness(stopping: boolean): Promise<Readiness> {
		if (stopping) return "stopping";
		return (await this.#answers()) ? "ready" : "store unreachable";
	}

	#answers(): Promise<boolean> {
		if (performance.now() - this.#looked > FRESH_MS) {
			this.#looked = performance.now();
			this.#look = inTime(this.#store.check(), PATIENCE_MS);
		}
		return this.#look;
	}
}

/** True when it resolves in time; whatever else becomes of it is false. */
async function inTime(work: Promise<void>, withinMs: number): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<boolean>((resolve) => {
		timer = setTimeout(resolve, withinMs, false);
	});
	try {
		return await Promise.race([work.then(() => true), late]);
	} catch {
		return false;
	} finally {
		clearTimeout(timer);
	}
}
