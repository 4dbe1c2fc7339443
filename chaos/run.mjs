// The proof: turns through every door, while everything is killed, stopped, cut and slowed.
import { openRedisStore } from "@baton/session/redis";
import { BREAKS } from "./broken/breaks.mjs";
import { check } from "./check.mjs";
import { converse } from "./conversation.mjs";
import { DOORS } from "./doors/index.mjs";
import { startInstances } from "./instances.mjs";
import { HELP, readOptions } from "./options.mjs";
import { createRandom } from "./random.mjs";
import { startRedisGroup } from "./redis-group.mjs";
import { report } from "./report.mjs";
import { makeTrouble } from "./troubles.mjs";

/** How long everything that was begun may take to end, once the troubles are over. */
const CALM_MS = 60_000;

async function run(options) {
	const random = createRandom(options.seed);
	const log = (text) => options.json || process.stderr.write(`  ${text}\n`);
	log(`${options.minutes} min of trouble, seed ${options.seed}`);
	const redis = await startRedisGroup();
	let instances;
	let store;
	try {
		instances = await startInstances(options.instances, {
			redisUrl: redis.url,
			broken: options.break,
		});
		const over = Date.now() + options.minutes * 60_000;
		const late = AbortSignal.timeout(options.minutes * 60_000 + CALM_MS);
		const trouble = makeTrouble({
			instances: instances.all,
			redis,
			random,
			log,
			only: BREAKS[options.break]?.bringsOut,
		});
		const talks = Array.from({ length: options.talks }, (_, number) =>
			converse({
				number,
				door: DOORS[number % DOORS.length],
				random,
				anyInstance: () => random.pick(instances.all),
				isOver: () => Date.now() > over,
				signal: late,
			}),
		);
		await new Promise((resolve) => setTimeout(resolve, over - Date.now()));
		await trouble.stop();
		log("calm: what was begun comes to its end");
		const conversations = await Promise.all(talks);
		store = await openRedisStore({ url: redis.url });
		const { totals, faults } = await check(conversations, store.collection("sessions"));
		const turns = conversations.reduce((sum, talk) => sum + talk.turns.length, 0);
		const clean = !totals.lost && !totals.repeated && !totals.outOfOrder && !totals.unended;
		process.stdout.write(
			report({ turns, ...trouble.counts, ...totals }, faults, { json: options.json }),
		);
		return clean && turns > 0 ? 0 : 1;
	} finally {
		await store?.close();
		await instances?.stop();
		await redis.stop();
	}
}

try {
	const options = readOptions(process.argv.slice(2));
	if (options.help) process.stdout.write(HELP);
	else process.exitCode = await run(options);
} catch (error) {
	process.stderr.write(`${error.stack ?? error}\n`);
	process.exitCode = 2;
}
