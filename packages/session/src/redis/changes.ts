import { BatonError } from "../errors";
import { SerialQueues } from "../serial-queues";
import { notFound } from "../store-errors";
import type { Commands, ScriptArguments } from "./commands";
import type { Keys } from "./keys";
import type { ScriptName } from "./scripts";

/** Sends the scripts that change a session, under operation numbers of this process. */
export class Changes {
	/** Names this process to the scripts. */
	readonly writer: string;
	readonly #commands: Commands;
	readonly #keys: Keys;
	readonly #nextOperation: () => number;
	readonly #queue = new SerialQueues();

	constructor(commands: Commands, keys: Keys, writer: string, nextOperation: () => number) {
		this.writer = writer;
		this.#commands = commands;
		this.#keys = keys;
		this.#nextOperation = nextOperation;
	}

	/** Runs a script under an operation number, one after the other for each session. */
	async run(
		name: ScriptName,
		id: string,
		args: ScriptArguments,
		moreKeys: readonly string[] = [],
	): Promise<(string | number)[]> {
		const keys = [this.#keys.record(id), this.#keys.state(id), ...moreKeys];
		const reply = await this.inTurn(id, () => {
			const head = [this.writer, this.#nextOperation()];
			const send = () => [...head, ...(typeof args === "function" ? args() : args)];
			return this.#commands.write(name, keys, send);
		});
		const [status] = reply as (string | number)[];
		if (status === "absent") throw notFound(id);
		if (status === "stale") {
			throw new BatonError(
				"unavailable",
				`A newer operation on session "${id}" overtook this one.`,
			);
		}
		return reply as (string | number)[];
	}

	/** Runs something else when the changes before it are through. */
	inTurn<T>(id: string, task: () => Promise<T>): Promise<T> {
		return this.#queue.run(id, task);
	}
}
