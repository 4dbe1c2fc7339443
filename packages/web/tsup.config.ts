import { defineConfig } from "tsup";

/** What the composition root imports; everything else of this package is built by Next. */
export default defineConfig({
	entry: { server: "src/server/index.ts" },
	format: ["esm"],
	dts: true,
	clean: ["!**/*.d.ts"],
	target: "node20",
	external: ["next"],
	tsconfig: "tsconfig.server.json",
});
