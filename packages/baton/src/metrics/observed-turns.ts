import {
	type Admitted,
	type SendOptions,
	type TurnInput,
	Turns,
	type TurnsOptions,
} from "@baton/agent";
import type { FollowBatch } from "@baton/session";
import type { ReaderFigures } from "./reader-figures";

/** Turns whose beginnings are remembered, to tell their first reader from one that comes later. */
const REMEMBERED = 10_000;

/** Turns that count who reads them. */
export class ObservedTurns extends Turns {
	readonly #readers: ReaderFigures;
	/** Turns that were admitted here and that nobody has read yet, by session and seq. */
	readonly #unread = new Set<string>();

	constructor(options: TurnsOptions, readers: ReaderFigures) {
		super(options);
		this.#readers = readers;
	}

	override async send(
		sessionId: string,
		input: TurnInput,
		options: SendOptions = {},
	): Promise<Admitted> {
		const admitted = await super.send(sessionId, input, options);
		if (!admitted.repeated) {
			this.#unread.add(nameOf(sessionId, admitted.seq));
			for (const oldest of this.#unread) {
				if (this.#unread.size <= REMEMBERED) break;
				this.#unread.delete(oldest);
			}
		}
		return admitted;
	}

	override follow(
		sessionId: string,
		options: { after?: number; signal?: AbortSignal } = {},
	): AsyncIterable<FollowBatch> {
		const { after = 0 } = options;
		// Doors read a turn of theirs with its input, or right after it.
		const own =
			this.#unread.delete(nameOf(sessionId, after)) ||
			this.#unread.delete(nameOf(sessionId, after + 1));
		return this.#readers.read(sessionId, super.follow(sessionId, options), { after, cold: !own });
	}
}

function nameOf(sessionId: string, seq: number): string {
	return `${sessionId}/${seq}`;
}
