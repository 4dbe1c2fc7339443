import type { Redis } from "ioredis";
import { freeClusterPort } from "./free-port";
import { infoField, withRedis } from "./redis-admin";
import { launchRedis, type RedisServer, serverArgs } from "./redis-server";
import { waitFor } from "./wait-for";

export interface RedisCluster {
	readonly nodes: readonly RedisServer[];
	readonly urls: readonly string[];
	stop(): Promise<void>;
}

const SLOTS = 16_384;

/** A real Redis Cluster of masters without replicas, every slot assigned. */
export async function startRedisCluster({ masters = 3 } = {}): Promise<RedisCluster> {
	const nodes: RedisServer[] = [];
	const stop = async () => {
		await Promise.all(nodes.map((node) => node.stop()));
	};
	try {
		for (let index = 0; index < masters; index++) nodes.push(await startNode());
		await Promise.all(nodes.map((node, index) => assignSlots(node, index, masters)));
		await introduce(nodes);
		await waitFor(() => agree(nodes), { what: "the cluster's nodes to agree", everyMs: 50 });
	} catch (error) {
		await stop();
		throw error;
	}
	return { nodes, urls: nodes.map((node) => node.url), stop };
}

function startNode(): Promise<RedisServer> {
	const extraConfig = {
		"cluster-enabled": "yes",
		"cluster-announce-ip": "127.0.0.1",
		"cluster-node-timeout": "2000",
	};
	return launchRedis({
		prefix: "baton-redis-cluster",
		choosePort: freeClusterPort,
		args: (port, dir) => serverArgs(port, dir, { extraConfig }),
	});
}

async function assignSlots(node: RedisServer, index: number, masters: number): Promise<void> {
	const first = Math.floor((index * SLOTS) / masters);
	const last = Math.floor(((index + 1) * SLOTS) / masters) - 1;
	await withRedis(node.port, async (redis) => {
		await redis.call("CLUSTER", "ADDSLOTSRANGE", first, last);
		await redis.call("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
	});
}

async function introduce([first, ...others]: RedisServer[]): Promise<void> {
	await withRedis(first!.port, async (redis) => {
		for (const { host, port } of others) await redis.call("CLUSTER", "MEET", host, port);
	});
}

/** Whether every node is well and all have the same map of slots. */
async function agree(nodes: RedisServer[]): Promise<boolean> {
	const views = await Promise.all(nodes.map(({ port }) => withRedis(port, viewOf)));
	return views.every(
		(view) =>
			view.state === "ok" &&
			view.knownNodes === `${nodes.length}` &&
			view.slots === views[0]?.slots,
	);
}

async function viewOf(redis: Redis) {
	const info = String(await redis.call("CLUSTER", "INFO"));
	const slots = (await redis.call("CLUSTER", "SLOTS")) as [number, ...unknown[]][];
	return {
		state: infoField(info, "cluster_state"),
		knownNodes: infoField(info, "cluster_known_nodes"),
		slots: JSON.stringify(slots.sort(([a], [b]) => a - b)),
	};
}
