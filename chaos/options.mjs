import { parseArgs } from "node:util";
import { BREAKS } from "./broken/breaks.mjs";

export const HELP = `npm run chaos -- [options]

Runs turns through every door of several Baton processes on one Redis (a master, two replicas,
three sentinels), while processes are killed, stopped and continued, Redis is restarted and failed
over, and connections are cut and slowed. Then compares what every client saw with the log, and the
log with what the agent said. Ends with 0 if nothing was lost, repeated, out of order or left open.

  --minutes N     how long there is trouble (default 3)
  --instances N   Baton processes (default 3)
  --talks N       conversations at a time (default 12)
  --seed N        for the same troubles again, as far as chance allows
  --break NAME    takes an invariant out of the code first, so that the run must fail:
${Object.entries(BREAKS)
	.map(([name, { about }]) => `                  ${name}: ${about}`)
	.join("\n")}
  --json          the figures as JSON
`;

/** The options of this run. Throws with a reason that can be shown. */
export function readOptions(args) {
	const { values } = parseArgs({
		args,
		options: {
			minutes: { type: "string", default: "3" },
			instances: { type: "string", default: "3" },
			talks: { type: "string", default: "12" },
			seed: { type: "string", default: String(Date.now() % 1_000_000) },
			break: { type: "string" },
			json: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.break !== undefined && !Object.hasOwn(BREAKS, values.break)) {
		throw new Error(`--break is one of: ${Object.keys(BREAKS).join(", ")}.`);
	}
	return {
		...values,
		minutes: number("minutes", values.minutes, 0.05, 600),
		instances: number("instances", values.instances, 1, 20),
		talks: number("talks", values.talks, 1, 500),
		seed: number("seed", values.seed, 0, 2 ** 32),
	};
}

function number(name, text, low, high) {
	const value = Number(text);
	if (value >= low && value <= high) return value;
	throw new Error(`--${name} is a number from ${low} to ${high}, not "${text}".`);
}
