import { openStore } from "@baton/session";
import { startRedisCluster } from "@baton/testkit";
import calculateSlot from "cluster-key-slot";
import { Redis } from "ioredis";

const APPENDS = 5_000;

/** A real cluster of three: whether sessions lie where the arithmetic says, and what a wake-up costs. */
export async function measureCluster(count) {
	const cluster = await startRedisCluster();
	const nodes = cluster.nodes.map(({ port, host }) => new Redis(port, host));
	const store = await openStore({ driver: "redis", url: urlOf(cluster) });
	try {
		const sessions = store.collection("sessions");
		const ids = Array.from({ length: count }, () => crypto.randomUUID());
		for (let at = 0; at < count; at += 50) {
			await Promise.all(ids.slice(at, at + 50).map((id) => sessions.create(id, { key: id })));
		}
		const predicted = nodes.map(() => 0);
		for (const id of ids) predicted[shardOf(`sessions:${id}`, nodes.length)]++;
		const found = await Promise.all(
			nodes.map(async (node) => (await keysOf(node)).filter((key) => isRecord(key)).length),
		);
		return { sessions: count, predicted, found, busMicros: await measureBus(nodes, sessions, ids) };
	} finally {
		await store.close();
		for (const node of nodes) node.disconnect();
		await cluster.stop();
	}
}

/** The work that an append to one node makes for another, since every node hears of its wake-up. */
async function measureBus(nodes, sessions, ids) {
	const onFirst = ids.filter((id) => shardOf(`sessions:${id}`, nodes.length) === 0).slice(0, 50);
	const before = await cpuOf(nodes[1]);
	const idle = await cpuWhileIdle(nodes[1]);
	const begin = performance.now();
	for (let n = 0; n < APPENDS / onFirst.length; n++) {
		await Promise.all(
			onFirst.map((id) => sessions.append(id, "events", [{ type: "message", content: "word " }])),
		);
	}
	const seconds = (performance.now() - begin) / 1_000;
	const spent = (await cpuOf(nodes[1])) - before - idle.micros - idle.perSecond * seconds;
	return Math.max(spent, 0) / APPENDS;
}

async function cpuWhileIdle(node) {
	const before = await cpuOf(node);
	await new Promise((resolve) => setTimeout(resolve, 2_000));
	const micros = (await cpuOf(node)) - before;
	return { micros, perSecond: micros / 2 };
}

async function cpuOf(node) {
	const info = await node.info("cpu");
	const field = (name) => Number(new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]);
	return (field("used_cpu_sys") + field("used_cpu_user")) * 1e6;
}

async function keysOf(node) {
	const [, keys] = await node.scan(0, "MATCH", "sessions:*", "COUNT", 10_000_000);
	return keys;
}

const isRecord = (key) => /^sessions:[0-9a-f-]{36}$/.test(key);

function urlOf({ nodes }) {
	return `redis+cluster://${nodes.map(({ host, port }) => `${host}:${port}`).join(",")}`;
}

const shardOf = (key, shards) => shardOfSlot(calculateSlot(key), shards);

/** Masters hold slots in equal shares, in order. */
export function shardOfSlot(slot, shards) {
	return Math.ceil(((slot + 1) * shards) / 16_384) - 1;
}
