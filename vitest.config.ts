import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/lib/longest-first.mjs";

/** `import script from "./append.lua"` is the file's text, as tsup's text loader makes it. */
const luaAsText = {
	name: "lua-as-text",
	async load(id: string) {
		if (!id.endsWith(".lua")) return;
		return `export default ${JSON.stringify(await readFile(id, "utf8"))}`;
	},
};

const packages = fileURLToPath(new URL("./packages/", import.meta.url));
const names = readdirSync(packages).filter((name) => existsSync(`${packages}${name}/package.json`));

const project = (name: string, include: string) => ({
	extends: true as const,
	test: { name, include: [include] },
});

export default defineConfig({
	plugins: [luaAsText],
	test: {
		pool: "forks",
		// More than there are cores: tests of killed processes wait half of their time.
		maxWorkers: 3,
		sequence: { sequencer: LongestFirst },
		testTimeout: 30_000,
		slowTestThreshold: 5_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 10_000 } },
		projects: [
			project("scripts", "scripts/test/**/*.test.ts"),
			project("packed", "scripts/packed/**/*.test.ts"),
			project("chaos", "chaos/test/**/*.test.ts"),
			project("examples", "examples/test/**/*.test.ts"),
			...names.map((name) => project(name, `packages/${name}/{src,test,tests}/**/*.test.{ts,tsx}`)),
		],
	},
});
