import { BatonError } from "./errors";
import type { FilesStoreOptions } from "./files";
import type { Store } from "./port";
import type { RedisStoreOptions } from "./redis";

export type StoreConfig =
	| { driver: "memory" }
	| ({ driver: "files" } & FilesStoreOptions)
	| ({ driver: "redis" } & RedisStoreOptions);

/**
 * Opens the store that the configuration names. Only that driver is loaded. A store that cannot be
 * used is an error here, never a silent change to another one.
 */
export async function openStore(config: StoreConfig): Promise<Store> {
	switch (config?.driver) {
		case "memory": {
			const { openMemoryStore } = await import("./memory");
			return openMemoryStore();
		}
		case "files": {
			const { driver: _, ...options } = config;
			const { openFilesStore } = await import("./files");
			return openFilesStore(options);
		}
		case "redis": {
			const { driver: _, ...options } = config;
			const { openRedisStore } = await import("./redis");
			return openRedisStore(options);
		}
		default: {
			const driver = String((config as { driver?: unknown } | null)?.driver);
			throw new BatonError(
				"invalid",
				`There is no store driver "${driver}"; use "memory", "files" or "redis".`,
			);
		}
	}
}
