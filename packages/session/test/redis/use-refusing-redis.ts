import { inspect } from "node:util";
import { type RedisServer, startRedis, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect } from "vitest";
import { BatonError } from "../../src/errors";
import type { Collection } from "../../src/port";
import { openRedisStore, type RedisStoreOptions } from "../../src/redis";
import { pairs } from "../../src/testing/observe";

export const SECRET = "s3cret-word";

/** A server for each test that a test makes refuse, and stores on it, closed after it. */
export function useRefusingRedis() {
	let redis: RedisServer;
	let raw: Redis;
	const open: (() => Promise<unknown>)[] = [];
	beforeEach(() => serve());
	afterEach(async () => {
		raw.disconnect();
		for (const close of open.splice(0).reverse()) await close();
	});

	/** Starts the server of a test; a second call replaces the first server. */
	async function serve(
		extraConfig: Record<string, string> = {},
		appendOnly = false,
	): Promise<void> {
		raw?.disconnect();
		const server = await startRedis({ appendOnly, extraConfig });
		open.push(() => server.stop());
		redis = server;
		raw = new Redis(server.url);
		raw.on("error", () => {});
	}

	/** One event is in the log. Operations give up soon. */
	async function openSessions(options: Partial<RedisStoreOptions> = {}): Promise<Collection> {
		const sessions = await connectSessions(options);
		await sessions.create("a", {});
		await sessions.append("a", "events", ["before"]);
		return sessions;
	}

	async function connectSessions(options: Partial<RedisStoreOptions> = {}): Promise<Collection> {
		const settings = { url: redis.url, timeoutMs: 400, commandTimeoutMs: 300, ...options };
		const store = await openRedisStore(settings);
		open.push(() => store.close());
		return store.collection("sessions");
	}

	return {
		get redis() {
			return redis;
		},
		/** A client of its own, to make the server refuse. */
		get raw() {
			return raw;
		},
		serve,
		openSessions,
		connectSessions,
		closeAfter: (close: () => Promise<unknown>) => open.push(close),
	};
}

/** The error of what must fail, which tells no secret. */
export async function errorOf(action: Promise<unknown>): Promise<BatonError> {
	const error = await action.then(
		() => null,
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(BatonError);
	expect(inspect(error, { depth: 10 })).not.toContain(SECRET);
	return error as BatonError;
}

/** Retries until the store takes the event, and checks that only it was added. */
export async function expectWorksAgain(sessions: Collection): Promise<void> {
	const once = { key: "after" };
	await waitFor(() => sessions.append("a", "events", ["after"], { once }), {
		what: "the store to work",
	});
	expect(pairs(await sessions.read("a", "events"))).toEqual([
		[1, "before"],
		[2, "after"],
	]);
}
