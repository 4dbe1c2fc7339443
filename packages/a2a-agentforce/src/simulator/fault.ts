/** The calls of the API, and the login. */
export type Endpoint = "token" | "start" | "message" | "stream" | "end" | "feedback";

/** A way in which one call goes wrong. */
export type Fault = { at: Endpoint } & (
	| { status: number; body?: unknown; retryAfter?: string }
	/** The connection is cut without an answer. */
	| { drop: true }
	/** There is never an answer. */
	| { hang: true }
	/** The answer, whatever was asked: a message of any type, in any order. */
	| { messages: Record<string, unknown>[]; end?: false }
	/** The stream is cut, or falls silent, after so many events. */
	| { cutAfter: number }
	| { stallAfter: number }
	/** The body of a good answer is replaced by this text. */
	| { garbage: string }
);

/** Faults that wait for their call, each met once. */
export class Faults {
	readonly #waiting: Fault[] = [];

	add(fault: Fault, times: number): void {
		for (let i = 0; i < times; i++) this.#waiting.push(fault);
	}

	/** The fault that this call meets, if there is one. */
	take(at: Endpoint): Fault | null {
		const index = this.#waiting.findIndex((fault) => fault.at === at);
		return index === -1 ? null : (this.#waiting.splice(index, 1)[0] ?? null);
	}
}
