import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Turns } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { openStore } from "@baton/session";
import { Redis } from "ioredis";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

let sent = 0;
const { sendCommand } = Redis.prototype;
Redis.prototype.sendCommand = function (...args) {
	sent++;
	return sendCommand.apply(this, args);
};

/** Turns of the demo agent on one Redis, and what both sides of them cost. */
export async function openWorkbench({ url }) {
	const store = await openStore({ driver: "redis", url });
	const sessions = store.collection("sessions");
	const demo = createDemoAgent();
	const turns = new Turns({
		sessions,
		agents: () => demo,
		holder: "scale",
		log: { warn: (details, message) => console.error(message, details) },
	});
	const admin = new Redis(url);
	const info = async (section) =>
		Object.fromEntries((await admin.info(section)).split("\r\n").map((line) => line.split(":")));
	return {
		turns,
		sessions,
		admin,
		redisBytes: async () => Number((await info("memory")).used_memory),
		/** Microseconds that Redis has worked so far. */
		async redisCpu() {
			const cpu = await info("cpu");
			return (Number(cpu.used_cpu_sys) + Number(cpu.used_cpu_user)) * 1e6;
		},
		/** Commands that Redis was sent by this process so far, and those its scripts ran included. */
		counts: async () => ({
			sent,
			run: Number((await info("stats")).total_commands_processed),
		}),
		async heapBytes() {
			// What the first one finds unused may hold more that the second one finds.
			gc();
			await new Promise((resolve) => setTimeout(resolve, 50));
			gc();
			const { heapUsed, external } = process.memoryUsage();
			return heapUsed + external;
		},
		async close() {
			await turns.close(0);
			await store.close();
			admin.disconnect();
		},
	};
}
