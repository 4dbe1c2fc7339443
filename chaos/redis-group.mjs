import { startSentinel } from "@baton/testkit";

/** A master with two replicas and three sentinels, every write in the append-only files. */
export async function startRedisGroup() {
	const group = await startSentinel({ replicas: 2, appendOnly: true });
	const nodes = group.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
	return {
		url: `redis+sentinel://${nodes}/${group.name}`,
		/** Restarts the master before the sentinels give it up. */
		async restart() {
			await (await group.master()).restart();
			await group.settled();
		},
		/** Kills the master for good; another takes over, and the old one comes back as its replica. */
		async failOver() {
			const old = await group.killMaster();
			await group.succeeded(old);
			await old.restart();
			await group.settled();
		},
		stop: () => group.stop(),
	};
}
