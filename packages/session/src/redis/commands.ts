import { Cluster, type Redis } from "ioredis";
import { BatonError } from "../errors";
import { pause } from "../pause";
import { storeClosed } from "../store-errors";
import type { Connection } from "./connect";
import { GatheredWrites } from "./gathered-writes";
import { classifyFailure, describeError } from "./redis-errors";
import type { RedisSettings } from "./redis-options";
import type { ScriptName } from "./scripts";

type Reply = unknown;
type Argument = string | number;
/** A function where an argument depends on the connection that the script is sent over. */
export type ScriptArguments = readonly Argument[] | (() => readonly Argument[]);

/** Sends scripts and commands, again where that is safe, until the deadline. */
export class Commands {
	readonly #client: Redis | Cluster;
	readonly #shown: string;
	readonly #settings: RedisSettings;
	readonly #closing = new AbortController();
	readonly #writes: GatheredWrites;
	#generation = 0;
	#trouble = "";

	constructor({ client, target }: Connection, settings: RedisSettings) {
		this.#client = client;
		this.#writes = new GatheredWrites(client);
		this.#shown = target.shown;
		this.#settings = settings;
		client.on("error", (error: Error) => {
			this.#trouble = describeError(error);
		});
		client.on("ready", () => {
			this.#trouble = "";
		});
		for (const event of ["close", "-node", "+node"]) {
			client.on(event, () => {
				this.#generation += 1;
			});
		}
	}

	/** Changes when a connection changed, and with it perhaps the server behind it. */
	get generation(): number {
		return this.#generation;
	}

	/** Whether commands are carried out in the order in which they are sent, whatever their keys. */
	get keepsOrder(): boolean {
		return !(this.#client instanceof Cluster);
	}

	close(): void {
		this.#closing.abort();
	}

	/** Runs a script that changes something, and waits for as many replicas as the settings ask. */
	write(name: ScriptName, keys: readonly string[], args: ScriptArguments): Promise<Reply> {
		const { waitReplicas } = this.#settings;
		if (waitReplicas === 0) return this.read(name, keys, args);
		return this.#untilAnswered(() => this.#sendAndWait(name, keys, args));
	}

	/** Runs a script that may be run any number of times. */
	read(name: ScriptName, keys: readonly string[], args: ScriptArguments): Promise<Reply> {
		return this.#untilAnswered(() => this.#script(this.#client, name, keys, args));
	}

	/** Runs a plain command that may be run any number of times. */
	call(command: string, ...args: (string | number)[]): Promise<Reply> {
		return this.#untilAnswered(() => this.#client.call(command, ...args));
	}

	/** Runs plain commands on keys of one slot, in this order and in one go. */
	together(commands: readonly (readonly [string, ...Argument[]])[]): Promise<Reply[]> {
		const send = () =>
			Promise.all(commands.map(([command, ...args]) => this.#client.call(command, ...args)));
		return this.#untilAnswered(send, true) as Promise<Reply[]>;
	}

	/**
	 * What was read, when the replicas have it too: what a failover may take back is shown to nobody.
	 * `key` is in the slot of what is read; writing to it is how a reader can wait for replicas. One
	 * that is away is waited for once: what is there already stays readable.
	 */
	async confirmed<T>(key: string, read: () => Promise<T>): Promise<T> {
		if (this.#settings.waitReplicas === 0) return read();
		for (;;) {
			const generation = this.#generation;
			const found = await read();
			await this.#untilAnswered(() => this.#andWait((pipeline) => pipeline.set(key, "", "PX", 1)));
			// Another server may have confirmed it, and not have what this one had.
			if (this.#generation === generation) return found;
		}
	}

	async #sendAndWait(
		name: ScriptName,
		keys: readonly string[],
		args: ScriptArguments,
	): Promise<Reply> {
		const { waitReplicas, waitTimeoutMs } = this.#settings;
		const { reply, replicas } = await this.#andWait((pipeline) =>
			this.#script(pipeline, name, keys, args),
		);
		if (replicas < waitReplicas) {
			throw new BatonError(
				"not_replicated",
				`Redis at ${this.#shown}: ${String(replicas)} of ${waitReplicas} replicas confirmed the write in ${waitTimeoutMs} ms. It is stored on the master; it is lost if that fails now.`,
			);
		}
		return reply;
	}

	/** Sends a write, and waits for as many replicas as the settings ask. Returns how many there are. */
	async #andWait(send: (pipeline: ReturnType<Redis["pipeline"]>) => unknown) {
		const { waitReplicas, waitTimeoutMs } = this.#settings;
		const pipeline = this.#client.pipeline();
		send(pipeline);
		pipeline.call("WAIT", waitReplicas, waitTimeoutMs);
		const [[error, reply] = [null, null], [waitError, replicas] = [null, 0]] =
			(await pipeline.exec()) ?? [];
		if (error) throw error;
		if (waitError) throw waitError;
		return { reply, replicas: Number(replicas) };
	}

	#script(
		target: object,
		name: ScriptName,
		keys: readonly string[],
		args: ScriptArguments,
	): Promise<Reply> {
		const command = (target as Record<string, (...args: unknown[]) => Promise<Reply>>)[
			`baton_${name}`
		] as (...args: unknown[]) => Promise<Reply>;
		return command.apply(target, [...keys, ...(typeof args === "function" ? args() : args)]);
	}

	async #untilAnswered(send: () => Promise<Reply>, several = false): Promise<Reply> {
		const { signal } = this.#closing;
		if (signal.aborted) throw storeClosed();
		let deadline = 0;
		for (let delayMs = 10; ; delayMs = Math.min(delayMs * 2, 250)) {
			try {
				return await this.#send(send, several);
			} catch (cause) {
				if (signal.aborted) throw storeClosed();
				const now = performance.now();
				deadline ||= now + this.#settings.timeoutMs;
				const failure = this.#failure(cause as Error);
				if (failure.kind === "fail" || now >= deadline) throw failure.error;
				// A server that is stopped keeps its connections; Sentinel may know a better one.
				if (failure.reconnect && !(this.#client instanceof Cluster)) this.#client.disconnect(true);
				await pause(delayMs, signal);
				if (signal.aborted) throw storeClosed();
			}
		}
	}

	#send(send: () => Promise<Reply>, several: boolean): Promise<Reply> {
		this.#writes.begin(several);
		const reply = send();
		this.#writes.sent();
		return reply;
	}

	#failure(cause: Error) {
		if (cause instanceof BatonError) {
			return { kind: "retry", error: cause, reconnect: false } as const;
		}
		return classifyFailure(cause, this.#shown, this.#trouble);
	}
}
