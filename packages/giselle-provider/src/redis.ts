import { Redis } from "ioredis";
import compareAndSetLua from "./compare-and-set.lua";
import { GiselleError } from "./giselle-error";
import type { SessionPort, SessionValue } from "./session-port";

const COMMAND_TIMEOUT_MS = 5_000;
const MAX_ATTEMPTS = 100;

/** A client for the provider's sessions: it verifies certificates, and never waits without end. */
export function createRedis(url: string, options: { rejectUnauthorized?: boolean } = {}): Redis {
	const redis = new Redis(url, {
		commandTimeout: COMMAND_TIMEOUT_MS,
		connectTimeout: COMMAND_TIMEOUT_MS,
		maxRetriesPerRequest: 3,
		// Sent again after a lost reply, a compare-and-set would see its own write as someone else's.
		autoResendUnfulfilledCommands: false,
		...(url.startsWith("rediss:") && {
			tls: { rejectUnauthorized: options.rejectUnauthorized ?? true },
		}),
	});
	// Each command rejects by itself; without a listener the client would print the address.
	redis.on("error", () => {});
	return redis;
}

/** Sessions on Redis, as JSON strings under their keys. */
export function createRedisSessions(redis: Redis): SessionPort {
	const compareAndSet = defineCompareAndSet(redis);
	return {
		async get(key) {
			return decode(await guarded(redis.get(key)));
		},
		async set(key, value, ttlMs) {
			await guarded(redis.set(key, JSON.stringify(value), "PX", ttlMs));
		},
		async update(key, change, ttlMs, expected) {
			let guess = expected && JSON.stringify(expected);
			for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
				const before = guess ?? (await guarded(redis.get(key)));
				guess = undefined;
				const next = change(decode(before));
				if (next === null) return decode(before);
				const json = JSON.stringify(next);
				if (await guarded(compareAndSet(key, before ?? "", json, ttlMs))) return decode(json);
			}
			throw new GiselleError("store_failed", "The session is written to by too many at once.", {
				retryable: true,
			});
		},
		async delete(key) {
			await guarded(redis.del(key));
		},
	};
}

/** By its digest: Redis is sent the script itself only if it does not have it. */
function defineCompareAndSet(redis: Redis) {
	const name = "giselleCompareAndSet";
	redis.defineCommand(name, { numberOfKeys: 1, lua: compareAndSetLua });
	const command = (redis as unknown as Record<string, (...args: (string | number)[]) => unknown>)[
		name
	];
	return async (key: string, before: string, after: string, ttlMs: number): Promise<boolean> =>
		(await command?.call(redis, key, before, after, ttlMs)) === 1;
}

function decode(json: string | null): SessionValue | null {
	return json === null ? null : (JSON.parse(json) as SessionValue);
}

/** A failure of the store in words of the provider: the client's own may hold the address. */
async function guarded<T>(command: Promise<T>): Promise<T> {
	try {
		return await command;
	} catch (error) {
		const kind = error instanceof Error ? error.name : "Error";
		throw new GiselleError("store_failed", `The session store failed (${kind}).`, {
			retryable: true,
		});
	}
}
