import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

const entry = (name: string) => fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));

/** What a built file imports from other packages, through the files of this one. */
async function packagesOf(file: string, seen = new Set<string>()): Promise<Set<string>> {
	const found = new Set<string>();
	if (seen.has(file)) return found;
	seen.add(file);
	const code = await readFile(file, "utf8");
	for (const [, name] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)) {
		if (!name!.startsWith(".")) found.add(name!);
		else for (const one of await packagesOf(join(dirname(file), name!), seen)) found.add(one);
	}
	return found;
}

it("the entry that pages use imports zod and nothing else", async () => {
	expect([...(await packagesOf(entry("index")))]).toEqual(["zod"]);
});

it("the DOM entry imports nothing, and the hook React alone", async () => {
	expect([...(await packagesOf(entry("dom/index")))]).toEqual([]);
	expect([...(await packagesOf(entry("react/index")))]).toEqual(["react"]);
});

it("the DOM entry is at most 15 kB gzipped", async () => {
	// For a browser, where a module of Node cannot be resolved.
	const { outputFiles } = await build({
		entryPoints: [entry("dom/index")],
		bundle: true,
		minify: true,
		write: false,
		format: "esm",
		platform: "browser",
		target: "es2022",
	});

	expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(15_000);
});

it("on a server the hook's entry loads, and waits for a page", async () => {
	const { useBrowserTools } = await import("../src/react");

	expect(useBrowserTools).toBeTypeOf("function");
});
