import { defineConfig, type Options } from "tsup";

/**
 * dom-accessibility-api carries its own Set and Array.from for browsers of long ago, a fifth of its
 * size. Every page that can run this package has them.
 */
const withoutPolyfills: NonNullable<Options["esbuildPlugins"]>[number] = {
	name: "without-polyfills",
	setup({ onLoad }) {
		for (const [file, contents] of [
			[/dom-accessibility-api.*polyfills.SetLike\.mjs$/, "export default Set;"],
			[/dom-accessibility-api.*polyfills.array\.from\.mjs$/, "export default Array.from;"],
		] as const) {
			onLoad({ filter: file }, () => ({ contents }));
		}
	},
};

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
	clean: ["!**/*.d.ts"],
	target: "node20",
	noExternal: ["dom-accessibility-api"],
	esbuildPlugins: [withoutPolyfills],
});
