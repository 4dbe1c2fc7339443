import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withRedis } from "./redis-admin";
import { launchRedis, type RedisServer, serverConfig } from "./redis-server";
import { waitFor } from "./wait-for";

export interface RedisSentinel {
	/** The name under which the sentinels know the master. */
	readonly name: string;
	readonly sentinels: readonly RedisServer[];
	/** The first master and its replicas, dead ones too. */
	readonly nodes: readonly RedisServer[];
	/** The node that most sentinels hold for the master. */
	master(): Promise<RedisServer>;
	/** Waits until the sentinels have another master than this one, and returns it. */
	succeeded(old: RedisServer): Promise<RedisServer>;
	/** Kills the master (SIGKILL) and returns it; the sentinels elect another in about 3 seconds. */
	killMaster(): Promise<RedisServer>;
	/**
	 * Waits until a failover is over for every sentinel: they agree on the master and hold all other
	 * nodes for its living replicas. A master that dies earlier may find no successor for a minute.
	 */
	settled(): Promise<void>;
	stop(): Promise<void>;
}

const NAME = "baton";
const SENTINELS = 3;
const QUORUM = 2;
/**
 * A sentinel that learns of a new master sends it the first ping after this time, or after a second
 * if that is less, and counts the silence before it too. So with a second or less it holds every
 * new master for dead at once, and moves on to a replica that was not ready.
 */
const DOWN_AFTER_MS = 2_000;

/** A real master with replicas in sync, and three sentinels that know them all. */
export async function startSentinel({
	replicas = 2,
	appendOnly = false,
} = {}): Promise<RedisSentinel> {
	const nodes: RedisServer[] = [];
	const sentinels: RedisServer[] = [];
	const stop = async () => {
		await Promise.all([...sentinels, ...nodes].map((server) => server.stop()));
	};
	const master = () => agreedMaster(sentinels, nodes);
	try {
		const first = await startNode({ appendOnly });
		nodes.push(first);
		for (let index = 0; index < replicas; index++)
			nodes.push(await startNode({ appendOnly, master: first }));
		// A sentinel looks for replicas when it starts, and then only every 10 seconds.
		await waitFor(() => replicasInSync(first, replicas), { what: "the replicas to be in sync" });
		for (let index = 0; index < SENTINELS; index++) sentinels.push(await startOne(first));
		await waitFor(() => allKnown(sentinels, replicas), {
			what: "the sentinels to know each other and the replicas",
			everyMs: 50,
		});
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		name: NAME,
		sentinels,
		nodes,
		master,
		succeeded: (old) =>
			waitFor(
				async () => {
					const current = await master();
					return current.port === old.port ? null : current;
				},
				{ timeoutMs: 60_000, everyMs: 50, what: "another master" },
			),
		async killMaster() {
			const node = await master();
			await node.kill();
			return node;
		},
		async settled() {
			await waitFor(() => isSettled(sentinels, replicas), {
				timeoutMs: 60_000,
				everyMs: 100,
				what: "the sentinels to settle on the master and its replicas",
			});
		},
		stop,
	};
}

/** Its settings are in a file: the sentinels rewrite that, so a restart keeps what they decided. */
function startNode({
	appendOnly,
	master,
}: {
	appendOnly: boolean;
	master?: RedisServer;
}): Promise<RedisServer> {
	const extraConfig = {
		"repl-diskless-sync-delay": "0",
		...(master && { replicaof: `${master.host} ${master.port}` }),
	};
	return launchRedis({
		prefix: "baton-redis",
		async args(port, dir) {
			const file = join(dir, "redis.conf");
			const config = serverConfig(port, dir, { appendOnly, extraConfig });
			const lines = Object.entries(config).map(([name, value]) => `${name} ${value || '""'}`);
			await writeFile(file, `${lines.join("\n")}\n`);
			return [file];
		},
	});
}

function startOne(master: RedisServer): Promise<RedisServer> {
	return launchRedis({
		prefix: "baton-sentinel",
		async args(port, dir) {
			const file = join(dir, "sentinel.conf"); // The sentinel rewrites it as things change.
			const lines = [
				`port ${port}`,
				"bind 127.0.0.1",
				`dir ${dir}`,
				`sentinel monitor ${NAME} ${master.host} ${master.port} ${QUORUM}`,
				`sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
				`sentinel failover-timeout ${NAME} 3000`,
			];
			await writeFile(file, `${lines.join("\n")}\n`);
			return [file, "--sentinel"];
		},
	});
}

async function replicasInSync(master: RedisServer, count: number): Promise<boolean> {
	const info = await withRedis(master.port, (redis) => redis.info("replication"));
	return (info.match(/state=online/g)?.length ?? 0) === count;
}

async function allKnown(sentinels: RedisServer[], replicas: number): Promise<boolean> {
	const views = await Promise.all(
		sentinels.map(({ port }) => withRedis(port, (redis) => redis.call("SENTINEL", "MASTER", NAME))),
	);
	return views.every((view) => {
		const fields = pairs(view as string[]);
		return (
			fields.get("flags") === "master" &&
			fields.get("num-slaves") === `${replicas}` &&
			fields.get("num-other-sentinels") === `${sentinels.length - 1}`
		);
	});
}

async function isSettled(sentinels: RedisServer[], replicas: number): Promise<boolean> {
	const views = await Promise.all(
		sentinels.map(({ port }) =>
			withRedis(port, async (redis) => ({
				master: pairs((await redis.call("SENTINEL", "MASTER", NAME)) as string[]),
				others: ((await redis.call("SENTINEL", "REPLICAS", NAME)) as string[][]).map(pairs),
			})),
		),
	);
	const port = views[0]?.master.get("port");
	return views.every(
		({ master, others }) =>
			master.get("port") === port &&
			master.get("flags") === "master" &&
			others.length === replicas &&
			others.every((replica) => replica.get("flags") === "slave"),
	);
}

function pairs(flat: string[]): Map<string, string> {
	const map = new Map<string, string>();
	for (let index = 0; index + 1 < flat.length; index += 2) map.set(flat[index]!, flat[index + 1]!);
	return map;
}

async function agreedMaster(sentinels: RedisServer[], nodes: RedisServer[]): Promise<RedisServer> {
	const votes = await Promise.allSettled(
		sentinels.map(({ port }) =>
			withRedis(port, (redis) => redis.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)),
		),
	);
	const ports = votes.map((vote) =>
		vote.status === "fulfilled" ? Number((vote.value as string[])[1]) : undefined,
	);
	const master = nodes.find((node) => ports.filter((port) => port === node.port).length >= QUORUM);
	if (!master) throw new Error(`The sentinels do not agree on a master: ${ports.join(", ")}.`);
	return master;
}
