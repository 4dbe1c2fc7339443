import { randomUUID } from "node:crypto";

/** A conversation, as the simulator remembers it. */
export interface SimulatedSession {
	readonly id: string;
	/** Of the newest message. */
	sequenceId: number;
	/** Whether a request is in flight: then there is no other. */
	isBusy: boolean;
	/** What the person said about themselves, so that a lost session shows. */
	name: string | undefined;
	/** What was asked last, and waits for its answer. */
	asked: "order" | "refund" | undefined;
	messages: number;
}

export function newSession(): SimulatedSession {
	return {
		id: randomUUID(),
		sequenceId: 0,
		isBusy: false,
		name: undefined,
		asked: undefined,
		messages: 0,
	};
}
