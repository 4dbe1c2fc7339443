import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { median } from "./measure.mjs";

/** Between two words. */
export const GAP_MS = 4;

/** Milliseconds on the clock that all processes of a machine share. */
export function now() {
	return Number(process.hrtime.bigint()) / 1e6;
}

/** A bare publish → subscribe hop of Redis, from this process to another. */
export async function openBareHop(redisUrl) {
	const publisher = new Redis(redisUrl);
	const reader = fork(new URL("./a2a-hop-reader.mjs", import.meta.url), [redisUrl]);
	await once(reader, "message");
	return {
		/** The median over as many words, as far apart as a bench's own. */
		async medianOf(words) {
			const took = [];
			for (let n = 0; n < words; n++) {
				await sleep(GAP_MS);
				const arrived = once(reader, "message");
				const sent = now();
				publisher.publish("bench-hop", String(n));
				took.push((await arrived)[0] - sent);
			}
			return median(took);
		},
		close() {
			publisher.disconnect();
			reader.disconnect();
		},
	};
}
