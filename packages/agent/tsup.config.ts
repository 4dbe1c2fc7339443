import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		index: "src/index.ts",
		"demo/index": "src/demo/index.ts",
		"cli/index": "src/cli/index.ts",
		"model/index": "src/model/index.ts",
	},
	format: ["esm"],
	dts: true,
	splitting: true,
	clean: ["!**/*.d.ts"],
	target: "node20",
});
