import { setTimeout as sleep } from "node:timers/promises";

/**
 * Makes trouble until it is told to stop. Instances and connections are troubled all the time, Redis
 * one trouble after the other, each when it has recovered from the one before: what is promised holds
 * for one loss at a time there. With `only`, instances are troubled in that way, one after the other
 * without a rest, and nothing else is.
 */
export function makeTrouble({ instances, redis, random, log, only }) {
	const stopping = new AbortController();
	const counts = { kills: 0, stops: 0, restarts: 0, failovers: 0, cuts: 0, slowdowns: 0 };
	const rest = (low, high) =>
		sleep(random.between(low, high), undefined, { signal: stopping.signal }).catch(() => {});
	const until = async (low, high, act) => {
		await rest(low, high);
		while (!stopping.signal.aborted) {
			await act();
			await rest(low, high);
		}
	};
	const ofInstances = (low, high) =>
		until(low, high, async () => {
			const instance = random.pick(instances);
			if (instance.busy) return;
			instance.busy = true;
			try {
				const way = only ?? random.pick(["kill", "kill", "stop"]);
				if (way === "kill") {
					counts.kills++;
					log(`kill -9 ${instance.name}`);
					await instance.replace();
				} else {
					counts.stops++;
					log(`stop ${instance.name} for a while`);
					instance.freeze();
					// Past its leases: when it wakes up, another may be at its work.
					await rest(only ? 4_000 : 1_000, 6_000);
					instance.thaw();
				}
			} finally {
				instance.busy = false;
			}
		});
	const ofConnections = () => [
		until(300, 1_500, async () => {
			counts.cuts++;
			random.pick(instances).cutConnections();
		}),
		until(1_000, 4_000, async () => {
			counts.slowdowns++;
			const instance = random.pick(instances);
			instance.slowDown(random.between(20, 300));
			await rest(500, 2_000);
			instance.slowDown(0);
		}),
	];
	const ofRedis = () =>
		until(4_000, 9_000, async () => {
			if (random.between(1, 2) === 1) {
				counts.restarts++;
				log("restart Redis");
				await redis.restart();
			} else {
				counts.failovers++;
				log("kill -9 the Redis master");
				await redis.failOver();
			}
		});
	const running = only
		? [ofInstances(0, 200)]
		: [ofInstances(800, 2_500), ...ofConnections(), ofRedis()];
	return {
		counts,
		async stop() {
			stopping.abort();
			await Promise.all(running);
			for (const instance of instances) instance.slowDown(0);
		},
	};
}
