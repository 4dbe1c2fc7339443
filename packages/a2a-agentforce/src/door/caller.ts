import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { User } from "@a2a-js/sdk/server";

/** Said here once: an exception of its own for every connection that ends would cost more than it tells. */
const CLOSED = "The connection is closed.";

/** Who calls, and the connection that is answered on. The SDK hands it to every method as `user`. */
export class Caller implements User {
	readonly isAuthenticated = true;
	readonly owner: string;
	readonly #response: ServerResponse;
	#gone: AbortController | undefined;

	constructor(owner: string, response: ServerResponse) {
		this.owner = owner;
		this.#response = response;
	}

	get userName(): string {
		return this.owner;
	}

	/** Aborted when the connection is over. It stops the answer, never the work. */
	get gone(): AbortSignal {
		if (!this.#gone) {
			const gone = new AbortController();
			this.#gone = gone;
			if (this.#response.closed) gone.abort(CLOSED);
			else this.#response.once("close", () => gone.abort(CLOSED));
		}
		return this.#gone.signal;
	}

	/** Resolves when the connection takes more: nothing is gathered for a reader that does not read. */
	async ready(): Promise<void> {
		if (!this.#response.writableNeedDrain) return;
		await once(this.#response, "drain", { signal: this.gone }).catch(() => {});
	}

	/** Cuts the answer: the client must not take half of one for a whole. */
	cut(): void {
		this.#response.destroy();
	}
}
