import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		index: "src/index.ts",
		"session/index": "src/session/index.ts",
		"agentforce/index": "src/agentforce/index.ts",
		"simulator/index": "src/simulator/index.ts",
		"door/index": "src/door/index.ts",
	},
	format: ["esm"],
	dts: true,
	splitting: true,
	clean: ["!**/*.d.ts"],
	target: "node20",
	loader: { ".lua": "text" },
});
