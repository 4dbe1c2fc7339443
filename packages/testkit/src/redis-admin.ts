import { Redis } from "ioredis";

/** Runs `use` on a connection of its own that neither retries nor waits for long. */
export async function withRedis<T>(port: number, use: (redis: Redis) => Promise<T>): Promise<T> {
	const redis = new Redis(port, "127.0.0.1", {
		lazyConnect: true,
		enableReadyCheck: false,
		connectTimeout: 2_000,
		commandTimeout: 2_000,
		retryStrategy: () => null,
		maxRetriesPerRequest: 0,
	});
	redis.on("error", () => {}); // The call that met the error rejects with it.
	try {
		await redis.connect();
		return await use(redis);
	} finally {
		redis.disconnect();
	}
}

/** The value of a line `field:value` in what INFO or CLUSTER INFO gave. */
export function infoField(info: string, field: string): string | undefined {
	return info.match(new RegExp(`^${field}:(.*?)\\r?$`, "m"))?.[1];
}

/** The pid of the server on `port`; rejects while it still loads its data. */
export function pidOf(port: number): Promise<number> {
	return withRedis(port, async (redis) => {
		await redis.ping();
		return Number(infoField(await redis.info("server"), "process_id"));
	});
}
