import { defineConfig } from "tsup";

export default defineConfig({
	entry: { index: "src/index.ts" },
	format: ["esm"],
	dts: true,
	clean: ["!**/*.d.ts"],
	// No runtime is assumed: what this package uses exists in browsers, edge runtimes and Node.
	platform: "neutral",
	target: "es2022",
});
