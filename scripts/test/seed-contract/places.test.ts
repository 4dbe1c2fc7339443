import { describe, expect, test } from "vitest";
import { useMadeUpRepository } from "./use-made-up-repository";

const { file, problemsOfRow } = useMadeUpRepository();

describe("places", () => {
	test("a path that does not exist", () => {
		expect(problemsOfRow("`src/a.ts`", "check: exists")).toEqual([
			"S003-01: src/a.ts does not exist",
		]);
	});

	test("each of several places is checked", () => {
		file("a.ts", "");
		expect(problemsOfRow("`a.ts`<br>`b.ts`", "check: exists")).toEqual([
			"S003-01: b.ts does not exist",
		]);
	});

	test("a name that the file has but does not export", () => {
		file("a.ts", "function load() {}\nexport function save() {}");
		expect(problemsOfRow("`a.ts#load`", "check: exists")).toEqual([
			"S003-01: a.ts does not export load",
		]);
	});

	test("an export of a file that is no source", () => {
		file("a.json", "{}");
		expect(problemsOfRow("`a.json#load`", "check: exists")).toEqual([
			"S003-01: a.json is no source file, so it cannot export load",
		]);
	});

	test("every form of export counts", () => {
		file("b.ts", "export function load() {}\nexport const save = 1;\nexport class Store {}");
		file("c.ts", "export type Id = string;\nexport interface Meta {}");
		file(
			"a.ts",
			[
				'export { load, save as keep } from "./b";',
				'export * from "./c.js";',
				'export type { Far } from "elsewhere";',
				'import { Store } from "./b";',
				"export { Store };",
				"export const { other } = {}, own = 1;",
			].join("\n"),
		);
		const names = ["load", "keep", "Id", "Meta", "Far", "Store", "own"];
		expect(
			problemsOfRow(names.map((name) => `\`a.ts#${name}\``).join("<br>"), "check: exists"),
		).toEqual([]);
		expect(problemsOfRow("`a.ts#save`", "check: exists")).toEqual([
			"S003-01: a.ts does not export save",
		]);
	});

	test("a field or method that the type lacks", () => {
		file("a.ts", "export interface Meta { id: string; inner: { deep: string } }");
		expect(problemsOfRow("`a.ts#Meta.id`", "check: exists")).toEqual([]);
		expect(problemsOfRow("`a.ts#Meta.deep`", "check: exists")).toEqual([
			"S003-01: a.ts exports Meta, but without deep",
		]);
	});

	test("members are found through bases, schemas, re-exports and constructor parameters", () => {
		file("schema.ts", "export const metaSchema = z.object({ id: z.string() }).strict();");
		file(
			"types.ts",
			[
				'import { metaSchema } from "./schema";',
				"export type Meta = z.infer<typeof metaSchema> & { label: string };",
				"class Base { load() {} }",
				"export class Store extends Base { constructor(readonly folder: string) { super(); } }",
			].join("\n"),
		);
		file("index.ts", 'export { type Meta, Store } from "./types";');
		const places = ["Meta.id", "Meta.label", "Store.load", "Store.folder"];
		expect(
			problemsOfRow(places.map((place) => `\`index.ts#${place}\``).join("<br>"), "check: exists"),
		).toEqual([]);
	});

	test("a member of what a method returns is no member", () => {
		file("a.ts", "interface Meta { id: string }\nexport interface Store { list(): Meta[] }");
		expect(problemsOfRow("`a.ts#Store.id`", "check: exists")).toEqual([
			"S003-01: a.ts exports Store, but without id",
		]);
	});

	test("a global that the file does not use", () => {
		file("a.ts", "declare global { var __sessions: Map<string, string> | undefined; }");
		expect(problemsOfRow("`a.ts#globalThis.__sessions`", "check: exists")).toEqual([]);
		expect(problemsOfRow("`a.ts#globalThis.__redis`", "check: exists")).toEqual([
			"S003-01: a.ts does not use globalThis.__redis",
		]);
	});
});
