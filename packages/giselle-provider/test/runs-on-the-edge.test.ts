import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const entry = fileURLToPath(new URL("../dist/index.js", import.meta.url));

/** The default entry with all it imports, as a bundler for an edge runtime makes it. */
async function bundle(conditions: string[]) {
	const result = await build({
		entryPoints: [entry],
		bundle: true,
		write: false,
		metafile: true,
		format: "esm",
		platform: "neutral",
		mainFields: ["module", "main"],
		conditions: [...conditions, "import"],
		external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
		logLevel: "silent",
	});
	return Object.values(result.metafile.inputs).flatMap(({ imports }) => imports);
}

describe.each(["edge-light", "workerd", "browser"])("the default entry for %s", (condition) => {
	it("imports nothing of Node, and no Redis client", async () => {
		const imports = await bundle([condition]);
		const paths = imports.map(({ path }) => path);
		const ofNode = paths.filter((path) => builtinModules.includes(path.replace("node:", "")));
		expect(ofNode).toEqual([]);
		expect(paths.filter((path) => path.includes("ioredis"))).toEqual([]);
		expect(paths.some((path) => path.endsWith("redis-unavailable.js"))).toBe(true);
	});
});

describe("the default entry on Node", () => {
	it("loads the Redis client only by a dynamic import", async () => {
		const imports = await bundle(["node"]);
		const redis = imports.filter(({ path }) => path.endsWith("dist/redis.js"));
		expect(redis.map(({ kind }) => kind)).toEqual(["dynamic-import"]);
	});
});
