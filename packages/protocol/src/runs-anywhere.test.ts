import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type Options } from "tsup";
import { afterAll, beforeAll, expect, it } from "vitest";
import packageConfig from "../tsup.config";

const entry = fileURLToPath(new URL("./index.ts", import.meta.url));
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "baton-protocol-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds the entry the way the package does, except for what `options` change. */
async function buildEntry(name: string, options: Options): Promise<string> {
	const outDir = join(folder, name);
	await build({
		...(packageConfig as Options),
		config: false,
		entry: { index: entry },
		dts: false,
		silent: true,
		outDir,
		...options,
	});
	return readFile(join(outDir, options.format === "iife" ? "index.global.js" : "index.js"), "utf8");
}

it("the built entry imports zod and nothing else", async () => {
	const code = await buildEntry("esm", { external: ["zod"] });
	const imports = code.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']([^"']+)["']/g);
	expect([...new Set(Array.from(imports, ([, module]) => module))]).toEqual(["zod"]);
});

it("runs where there is nothing of Node, only the web's decoder, encoder and streams", async () => {
	const code = await buildEntry("iife", {
		format: "iife",
		globalName: "protocol",
		noExternal: ["zod"],
	});
	const context = createContext({ TextDecoder, TextEncoder, TransformStream });
	runInContext(code, context);
	const script = `
		const parser = new protocol.NdjsonParser();
		const event = { type: "message", role: "assistant", content: "wörld 🎉" };
		const items = parser.push(new TextEncoder().encode(protocol.encodeNdjson(event)));
		protocol.ndjsonParserStream();
		JSON.stringify([typeof process, typeof Buffer, protocol.parseEvent(items[0].value).kind]);
	`;
	expect(JSON.parse(runInContext(script, context))).toEqual(["undefined", "undefined", "event"]);
});
