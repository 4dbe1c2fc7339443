import { randomBytes } from "node:crypto";
import type { CollectionDriver, CollectionKeys, StoreDriver } from "../driver";
import { BatonError } from "../errors";
import { Commands } from "./commands";
import type { Connection } from "./connect";
import { Keys } from "./keys";
import { RedisCollection } from "./redis-collection";
import type { RedisSettings } from "./redis-options";
import { WakeChannel } from "./wake-channel";

export class RedisDriver implements StoreDriver {
	readonly name = "redis";
	readonly #connection: Connection;
	readonly #settings: RedisSettings;
	readonly #commands: Commands;
	readonly #wakes: WakeChannel;
	readonly #writer = randomBytes(6).toString("base64url");
	#operation = 0;

	constructor(connection: Connection, settings: RedisSettings) {
		this.#connection = connection;
		this.#settings = settings;
		this.#commands = new Commands(connection, settings);
		this.#wakes = new WakeChannel(connection.subscriber, this.#writer, {
			heartbeatMs: settings.commandTimeoutMs,
			// The server announces an event before its replicas have it.
			believesEvents: settings.waitReplicas === 0,
		});
	}

	collection(_name: string, keys: CollectionKeys): CollectionDriver {
		if (/[{}]/.test(keys.recordKey)) {
			throw new BatonError("invalid", `A record key must not contain braces: "${keys.recordKey}".`);
		}
		return new RedisCollection({
			keys: new Keys(this.#settings.prefix, keys),
			commands: this.#commands,
			wakes: this.#wakes,
			writer: this.#writer,
			nextOperation: () => ++this.#operation,
			pollMs: this.#settings.pollMs,
		});
	}

	async check(): Promise<void> {
		await this.#commands.call("PING");
	}

	async close(): Promise<void> {
		this.#commands.close();
		this.#wakes.close();
		this.#connection.client.disconnect();
		this.#connection.subscriber.disconnect();
	}
}
