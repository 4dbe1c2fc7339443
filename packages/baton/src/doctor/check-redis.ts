import { isBatonError, openStore } from "@baton/session";
import { Redis } from "ioredis";
import type { Config, RedisConfig } from "../config/config";
import type { Check } from "./check";

const PATIENCE_MS = 3_000;

/** Whether Redis answers, and what it is. */
export async function checkRedis({ redis }: Config): Promise<Check> {
	const name = "redis";
	if (!redis) return { name, status: "idle", detail: "not set; sessions are in files" };
	const { url, variable, rejectUnauthorized, prefix } = redis;
	try {
		const options = { url, rejectUnauthorized, prefix, timeoutMs: PATIENCE_MS };
		await (await openStore({ driver: "redis", ...options })).close();
	} catch (error) {
		if (!isBatonError(error)) throw error;
		return { name, status: "fail", detail: `${variable}: ${error.message}` };
	}
	const version = await readVersion(redis);
	const detail = `${variable} answers${version ? `, Redis ${version}` : ""}`;
	return rejectUnauthorized
		? { name, status: "ok", detail }
		: { name, status: "warn", detail: `${detail}; its certificate is not checked` };
}

/** The version of one node: of a cluster or of Sentinels, the first that is named. */
async function readVersion({ url, rejectUnauthorized }: RedisConfig): Promise<string | null> {
	const [, , tls = "", credentials = "", node = ""] =
		/^redis(\+\w+?)?(s?):\/\/([^/]*@)?([^,/]+)/.exec(url) ?? [];
	const client = new Redis(`redis${tls}://${credentials}${node}`, {
		lazyConnect: true,
		connectTimeout: PATIENCE_MS,
		commandTimeout: PATIENCE_MS,
		retryStrategy: () => null,
		...(tls && { tls: { rejectUnauthorized } }),
	});
	// It is said by the command that fails.
	client.on("error", () => {});
	try {
		await client.connect();
		return /redis_version:(\S+)/.exec(await client.info("server"))?.[1] ?? null;
	} catch {
		return null;
	} finally {
		client.disconnect();
	}
}
