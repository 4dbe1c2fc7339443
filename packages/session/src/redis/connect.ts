import { Cluster, Redis, type RedisOptions } from "ioredis";
import { BatonError } from "../errors";
import { describeError } from "./redis-errors";
import { parseRedisUrl, type RedisSettings, type RedisTarget } from "./redis-options";
import { SCRIPTS } from "./scripts";

export interface Connection {
	target: RedisTarget;
	/** For commands. */
	client: Redis | Cluster;
	/** For wake-ups: its own connection, the only one that subscribes. */
	subscriber: Redis | Cluster;
}

/** Opens both connections, or fails with an error that names the address without its password. */
export async function connect(settings: RedisSettings): Promise<Connection> {
	const target = parseRedisUrl(settings.url);
	const client = makeClient(target, settings, true);
	const subscriber = client instanceof Cluster ? client : makeClient(target, settings, false);
	let reason = "";
	for (const one of new Set([client, subscriber])) {
		one.on("error", (error: Error) => {
			reason = describeError(error);
		});
	}
	try {
		await within(settings.timeoutMs, connectInTurn(client, subscriber));
	} catch (cause) {
		for (const one of new Set([client, subscriber])) one.disconnect();
		const said = reason || describeError(cause as Error);
		throw new BatonError(
			"unavailable",
			`Redis at ${target.shown} cannot be used: ${said}. Start it, or correct the address; without a Redis address Baton keeps its data in files.`,
			{ cause },
		);
	}
	return { target, client, subscriber };
}

/**
 * One after the other: where the certificate is refused, hanging up on a second connection in the
 * middle of its handshake makes that fail twice, and the client listens for one error only.
 */
async function connectInTurn(client: Redis | Cluster, subscriber: Redis | Cluster): Promise<void> {
	await client.connect();
	await client.ping();
	if (subscriber !== client) await subscriber.connect();
}

function makeClient(
	target: RedisTarget,
	settings: RedisSettings,
	forCommands: boolean,
): Redis | Cluster {
	const common: RedisOptions = {
		// An append whose reply is lost must not be sent again by the client: the driver does that,
		// under the same operation number.
		autoResendUnfulfilledCommands: false,
		autoResubscribe: false,
		enableOfflineQueue: false,
		// A subscription that is made before the ready check is over fails now and then.
		enableReadyCheck: forCommands,
		// The client counts itself ready once its introduction is answered or failed, also when the
		// connection died over it, and then never connects again.
		disableClientInfo: true,
		maxRetriesPerRequest: 0,
		connectTimeout: settings.commandTimeoutMs,
		// A server that hangs does not answer a goodbye; whoever closes or reconnects need not wait.
		disconnectTimeout: 100,
		retryStrategy: (times) => Math.min(20 * 2 ** Math.min(times, 5), 500),
		reconnectOnError: (error) => error.message.startsWith("READONLY"),
		...(forCommands && { commandTimeout: settings.commandTimeoutMs }),
		...(target.username && { username: target.username }),
		...(target.password && { password: target.password }),
		...(target.tls && { tls: { rejectUnauthorized: settings.rejectUnauthorized } }),
	};
	const client = build(target, settings, common);
	for (const [name, { lua, keys }] of Object.entries(SCRIPTS)) {
		client.defineCommand(`baton_${name}`, { lua, numberOfKeys: keys });
	}
	return client;
}

function build(
	target: RedisTarget,
	settings: RedisSettings,
	common: RedisOptions,
): Redis | Cluster {
	if (target.kind === "cluster") {
		return new Cluster(target.nodes, {
			lazyConnect: true,
			redisOptions: common,
			enableOfflineQueue: false,
			slotsRefreshTimeout: settings.commandTimeoutMs,
			clusterRetryStrategy: (times) => Math.min(20 * 2 ** Math.min(times, 5), 500),
		});
	}
	if (target.kind === "sentinel") {
		return new Redis({
			...common,
			lazyConnect: true,
			sentinels: target.nodes,
			name: target.name ?? "mymaster",
			sentinelRetryStrategy: (times) => Math.min(20 * 2 ** Math.min(times, 5), 500),
			...(target.tls && { enableTLSForSentinelMode: true, sentinelTLS: common.tls }),
		});
	}
	const [node] = target.nodes;
	return new Redis({ ...common, ...node, db: target.db, lazyConnect: true });
}

async function within<T>(ms: number, action: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
	});
	try {
		return await Promise.race([action, late]);
	} finally {
		clearTimeout(timer);
	}
}
