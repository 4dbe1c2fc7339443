import { isBatonError, openStore, type Store } from "@baton/session";
import type { Config } from "../config/config";
import type { Log } from "../log/log";
import { StartError } from "./start-error";

/** Opens the store of the configuration: Redis if an address is set, else files. Never another. */
export async function openConfiguredStore(config: Config, log: Log): Promise<Store> {
	const { redis, dataDir, fsync } = config;
	try {
		if (!redis) {
			return await openStore({
				driver: "files",
				dir: dataDir,
				fsync,
				onProblem: (problem) => log.warn({ ...problem }, "The data folder was damaged."),
			});
		}
		const { url, rejectUnauthorized, prefix, waitReplicas } = redis;
		return await openStore({ driver: "redis", url, rejectUnauthorized, prefix, waitReplicas });
	} catch (error) {
		if (!isBatonError(error)) throw error;
		const from = redis ? ` (${redis.variable})` : "";
		throw new StartError(`${error.message}${from}`, { cause: error });
	}
}
