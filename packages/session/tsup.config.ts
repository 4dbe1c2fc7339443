import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		index: "src/index.ts",
		"memory/index": "src/memory/index.ts",
		"files/index": "src/files/index.ts",
		"redis/index": "src/redis/index.ts",
		"testing/index": "src/testing/index.ts",
	},
	format: ["esm"],
	dts: true,
	splitting: true,
	clean: ["!**/*.d.ts"],
	target: "node20",
	loader: { ".lua": "text" },
});
