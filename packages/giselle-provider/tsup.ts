import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		// Imports nothing of Node, which a test checks: it runs on edge runtimes too.
		index: "src/index.ts",
		redis: "src/redis.ts",
		"redis-unavailable": "src/redis-unavailable.ts",
		"store-sessions": "src/store-sessions.ts",
		"testing/index": "src/testing/index.ts",
	},
	format: ["esm"],
	dts: true,
	splitting: true,
	clean: ["!**/*.d.ts"],
	target: "es2022",
	// Resolved where it runs, by the conditions in package.json.
	external: ["#redis"],
	loader: { ".lua": "text" },
});
