import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const entry = fileURLToPath(new URL("../dist/index.js", import.meta.url));

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
	expect([...(await packagesOf(entry))]).toEqual(["zod"]);
});
