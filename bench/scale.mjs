// What a session costs, idle and active, with 1,000, 10,000 and (--full) 100,000 of them in Redis, and
// the arithmetic from there to 10 million on Redis Cluster. `npm run bench:scale [-- --full] [--write]`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { startRedis } from "@baton/testkit";
import { measureActive } from "./scale/active.mjs";
import { measureCluster } from "./scale/cluster.mjs";
import { measureFresh, measureRested } from "./scale/idle.mjs";
import { report } from "./scale/report.mjs";
import { simulate } from "./scale/simulate.mjs";
import { openWorkbench } from "./scale/workbench.mjs";

const [quick, full, write] = ["--quick", "--full", "--write"].map((flag) =>
	process.argv.includes(flag),
);
const SIZES = quick ? [200, 1_000] : [1_000, 10_000, ...(full ? [100_000] : [])];

const say = (text) =>
	console.error(`  ${((performance.now() - begin) / 1_000).toFixed(0)} s  ${text}`);
const begin = performance.now();

const figures = { at: new Date().toISOString().slice(0, 10), sizes: [] };
const redis = await startRedis();
const bench = await openWorkbench(redis);
try {
	for (const sessions of SIZES) {
		say(`${sessions.toLocaleString("en")} sessions`);
		if (figures.fresh) figures.rested = await measureRested(bench, sessions);
		else figures.fresh = await measureFresh(bench, sessions);
		const active = await measureActive(bench, quick ? 20 : 200);
		figures.sizes.push({ sessions, restedBytes: figures.rested?.bytes ?? null, active });
	}
} finally {
	await bench.close();
	await redis.stop();
}
say("a real cluster");
figures.cluster = await measureCluster(quick ? 600 : 3_000);
say("10 million");
figures.simulation = simulate(figures, quick ? 200_000 : 10_000_000);

const results = new URL("./results/", import.meta.url);
mkdirSync(results, { recursive: true });
writeFileSync(new URL("scale.json", results), `${JSON.stringify(figures, null, "\t")}\n`);
const text = report(figures);
console.log(text);
if (write) {
	const document = new URL("../docs/scale.md", import.meta.url);
	const [head, rest] = readFileSync(document, "utf8").split("<!-- figures -->\n");
	const [, tail] = rest.split("<!-- /figures -->");
	writeFileSync(document, `${head}<!-- figures -->\n\n${text}\n<!-- /figures -->${tail}`);
}
