import { isBatonError, openStore, type Store } from "@baton/session";
import { BatonStore } from "./baton-store";
import { redisEnvironment, sessionTtlSeconds } from "./environment";
import { type SessionLog, stderrLog } from "./session-log";

export interface RedisStoreOptions {
	/** Default: `REDIS_TLS_URL`, then `REDIS_URL`. */
	url?: string;
	/** False accepts any certificate. Default: true, unless `REDIS_TLS_REJECT_UNAUTHORIZED=false`. */
	rejectUnauthorized?: boolean;
	/** Put before every key. Default: none, so that keys are as the seed has them. */
	prefix?: string;
	/** Default: `SESSION_TTL_SECONDS`, 1,800. */
	ttlSeconds?: number;
	/** How long an operation is tried while Redis is away. Default 10,000. */
	timeoutMs?: number;
	log?: SessionLog;
}

/**
 * Mappings in Redis, for any number of processes: one server, Sentinel or Cluster, over `ioredis`
 * and through the session core. It connects at the first call. While Redis is away, calls fail with
 * a retryable error; there is no fall-back to another store. Close it when done.
 */
export class RedisStore extends BatonStore {
	readonly #connection: LazyStore;

	constructor(options: RedisStoreOptions = {}) {
		const { log = stderrLog, ttlSeconds = sessionTtlSeconds(), ...connection } = options;
		const lazy = new LazyStore(connection, log);
		super({ store: () => lazy.get(), ttlSeconds });
		this.#connection = lazy;
	}

	close(): Promise<void> {
		return this.#connection.close();
	}
}

/** Opens the connection when it is first needed, and again when that failed. */
class LazyStore {
	readonly #open: () => Promise<Store>;
	readonly #log: SessionLog;
	#store: Promise<Store> | null = null;

	constructor(
		{ url, rejectUnauthorized, ...rest }: Omit<RedisStoreOptions, "log" | "ttlSeconds">,
		log: SessionLog,
	) {
		const environment = redisEnvironment();
		const address = url ?? environment?.url ?? "redis://127.0.0.1:6379";
		const verify = rejectUnauthorized ?? environment?.rejectUnauthorized ?? true;
		this.#open = () =>
			openStore({ driver: "redis", url: address, rejectUnauthorized: verify, ...rest });
		this.#log = log;
	}

	get(): Promise<Store> {
		if (!this.#store) {
			const opening = this.#open();
			this.#store = opening;
			opening.catch((error: unknown) => {
				this.#log.warn({ error, retryable: isBatonError(error) && error.retryable }, "No Redis.");
				if (this.#store === opening) this.#store = null;
			});
		}
		return this.#store;
	}

	async close(): Promise<void> {
		const opening = this.#store;
		this.#store = null;
		const store = await opening?.catch(() => null);
		await store?.close();
	}
}
