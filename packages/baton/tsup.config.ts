import { defineConfig } from "tsup";

export default defineConfig({
	entry: { cli: "src/cli.ts" },
	format: ["esm"],
	// What a command does not need is not loaded: `--help` must not wait for the stores.
	splitting: true,
	clean: true,
	target: "node20",
});
