import { beforeEach, describe, expect, test } from "vitest";
import { useMadeUpRepository } from "./use-made-up-repository";

const { file, problemsOfRow } = useMadeUpRepository();

describe("tests", () => {
	beforeEach(() => {
		file("a.ts", "");
		file(
			"a.test.ts",
			[
				'// test("only a comment", () => {});',
				'const other = "only a string";',
				'describe("store", () => {',
				'	it("keeps a record", () => {});',
				'	it.skip("forgets a record", () => {});',
				'	test.each([1, 2])("counts %s", () => {});',
				`	for (const driver of drivers) test(\`works on \${driver}\`, () => {});`,
				'	describe.skipIf(!redis)("on Redis", () => { test.todo("fails over"); test("expires", () => {}); });',
				"});",
				'describe.skip("later", () => { test("sleeps", () => {}); });',
			].join("\n"),
		);
	});

	test("a test file that does not exist", () => {
		expect(problemsOfRow("`a.ts`", "`b.test.ts` › keeps a record")).toEqual([
			"S003-01: test file b.test.ts does not exist",
		]);
	});

	test.each([
		"keeps",
		"only a comment",
		"only a string",
		"on Redis › keeps a record",
		"store › keeps a record › twice",
	])("a title that no test has: %s", (title) => {
		expect(problemsOfRow("`a.ts`", `\`a.test.ts\` › ${title}`)).toEqual([
			`S003-01: test file a.test.ts has no test "${title}"`,
		]);
	});

	test.each(["forgets a record", "fails over", "later › sleeps"])(
		"a test that is not run: %s",
		(title) => {
			expect(problemsOfRow("`a.ts`", `\`a.test.ts\` › ${title}`)).toEqual([
				`S003-01: test file a.test.ts skips the test "${title}"`,
			]);
		},
	);

	test.each([
		"keeps a record",
		"store › keeps a record",
		"counts %s",
		"works on files",
		"store › on Redis › expires",
	])("a test that is there: %s", (title) => {
		expect(problemsOfRow("`a.ts`", `\`a.test.ts\` › ${title}`)).toEqual([]);
	});
});

describe("checks", () => {
	beforeEach(() => {
		file(
			"package.json",
			JSON.stringify({ devDependencies: { tsup: "8" }, scripts: { lint: "biome check ." } }),
		);
		file(
			"pnpm-workspace.yaml",
			'packages:\n  - packages/*\ncatalog:\n  zod: 4.3.6\n  "@scope/x": 1.0.0\nother: 1\n',
		);
		file(
			"tsconfig.base.json",
			'{ "compilerOptions": { "target": "ES2022", /* why */ "strict": true } }',
		);
		file("AGENTS.md", "| 0 | setup | ✅ DONE |\n| 1 | core | 🔲 TODO |\n");
		file("packages/a/package.json", JSON.stringify({ dependencies: { zod: "catalog:" } }));
		file("packages/a/tsconfig.json", '{ "extends": "../../tsconfig.base.json" }');
	});

	test.each([
		"exists",
		"absent packages/b",
		"mentions AGENTS.md › core",
		"workspace packages/*",
		"catalog zod 4.3.6",
		"catalog @scope/x 1.0.0",
		"dev dependency tsup",
		"dependency zod in packages/a",
		"script lint",
		"script lint biome",
		"tsconfig target ES2022",
		"tsconfig strict true",
		"phase 0 done",
	])("holds: %s", (text) => {
		expect(problemsOfRow("`package.json`", `check: ${text}`)).toEqual([]);
	});

	test.each([
		["absent packages/a", "packages/a exists"],
		["mentions AGENTS.md › cleanup", 'AGENTS.md does not mention "cleanup"'],
		["mentions NOTES.md › cleanup", "NOTES.md does not exist"],
		["workspace apps/*", "pnpm-workspace.yaml does not list apps/*"],
		["catalog zod 4.3.7", "the catalog has zod 4.3.6, not 4.3.7"],
		["catalog other 1", "the catalog has other not at all, not 1"],
		["dev dependency jest", "package.json has no dev dependency jest"],
		["dependency ioredis in packages/a", "packages/a/package.json does not depend on ioredis"],
		["script test", "package.json has no script test"],
		["script lint eslint", "package.json: lint does not run eslint"],
		["script build in packages/a", "packages/a/package.json has no script build"],
		["tsconfig target ES2020", "tsconfig.base.json has target ES2022, not ES2020"],
		["tsconfig module ESNext", "tsconfig.base.json has module undefined, not ESNext"],
		["phase 1 done", "phase 1 is not ✅ DONE in AGENTS.md"],
		["phase 7 done", "AGENTS.md has no status of phase 7"],
		["moon is full", "no such check"],
	])("fails: %s", (text, why) => {
		expect(problemsOfRow("`package.json`", `check: ${text}`)).toEqual([
			`S003-01: check: ${text}: ${why}`,
		]);
	});

	test("a package that takes a catalog dependency from elsewhere", () => {
		file("packages/b/package.json", JSON.stringify({ devDependencies: { zod: "^3" } }));
		expect(problemsOfRow("`package.json`", "check: catalog zod 4.3.6")).toEqual([
			'S003-01: check: catalog zod 4.3.6: packages/b asks for zod ^3, not "catalog:"',
		]);
	});

	test("a package whose TypeScript options differ", () => {
		file("packages/a/tsconfig.json", '{ "compilerOptions": { "target": "ES2017" } }');
		expect(problemsOfRow("`package.json`", "check: tsconfig target ES2022")).toEqual([
			"S003-01: check: tsconfig target ES2022: packages/a/tsconfig.json has target ES2017, not ES2022",
		]);
	});
});
