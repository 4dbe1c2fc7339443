import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		// What a page and a server share: it must import nothing of Node, which a test checks.
		index: "src/index.ts",
		// In the page alone.
		"dom/index": "src/dom/index.ts",
		"react/index": "src/react/index.ts",
		"relay/index": "src/relay/index.ts",
		"mcp/index": "src/mcp/index.ts",
		"mcp/server": "src/mcp/server.ts",
	},
	format: ["esm"],
	dts: true,
	splitting: true,
	clean: true,
	target: "node20",
});
