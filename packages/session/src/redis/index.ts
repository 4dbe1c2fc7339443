import type { Store } from "../port";
import { createStore } from "../store";
import { connect } from "./connect";
import { RedisDriver } from "./redis-driver";
import { parseRedisOptions, type RedisStoreOptions } from "./redis-options";

export type { RedisStoreOptions } from "./redis-options";

/**
 * A store that any number of processes share: one Redis server, Sentinel, or Cluster. Rejects with
 * `unavailable` when Redis does not answer.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
	const settings = parseRedisOptions(options);
	return createStore(new RedisDriver(await connect(settings), settings));
}
