import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkContract } from "../seed-contract/check-contract.mjs";

let root: string;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "seed-contract-"));
});

afterEach(() => {
	rmSync(root, { recursive: true, force: true });
});

function file(path: string, text: string): void {
	mkdirSync(dirname(join(root, path)), { recursive: true });
	writeFileSync(join(root, path), text);
}

function contract(rows: string[], pending = "none"): void {
	file(
		"docs/seed-contract.md",
		[
			"# The seed contract",
			`Issues not landed yet: ${pending}`,
			"## Seed 003: a made-up seed",
			"| id | seed says | kind | lives in | shown by |",
			"|---|---|---|---|---|",
			...rows,
		].join("\n"),
	);
}

function check(): { problems: string[]; summary: string } {
	return checkContract(root);
}

/** One row with these two cells, and what the checker says of it. */
function problemsOfRow(livesIn: string, shownBy: string): string[] {
	contract([`| S003-01 | a claim | function | ${livesIn} | ${shownBy} |`]);
	return check().problems;
}

function runCommand(): { code: number | null; stdout: string; stderr: string } {
	const command = fileURLToPath(new URL("../check-seed-contract.mjs", import.meta.url));
	const { status, stdout, stderr } = spawnSync(process.execPath, [command, "--root", root], {
		encoding: "utf8",
	});
	return { code: status, stdout, stderr };
}

test("a table that is true passes, with a summary", () => {
	file("src/greet.ts", "export function greet() {}");
	file("src/greet.test.ts", 'test("greets by name", () => {});');
	contract(
		[
			"| S003-01 | says hello | function | `src/greet.ts#greet` | `src/greet.test.ts` › greets by name |",
			"| S003-02 | says bye \\| ciao | function | `packages/bye/src/index.ts#bye` | open: issue 4 |",
			"| S003-03 | the old one is gone | file | none | check: absent src/old.ts |",
		],
		"4",
	);
	expect(check()).toEqual({
		problems: [],
		summary: "seed contract: 3 rows, 2 shown, 1 open (issue 4: 1), 0 problems",
	});
});

test("the command prints the summary and exits 0 when the table is true", () => {
	contract(["| S003-01 | the old one is gone | file | none | check: absent old.ts |"]);
	expect(runCommand()).toEqual({
		code: 0,
		stdout: "seed contract: 1 rows, 1 shown, 0 open, 0 problems\n",
		stderr: "",
	});
});

test("the command prints a line for each problem and exits 1", () => {
	contract(["| S003-01 | two things | file | `a.ts`<br>`b.ts` | check: exists |"]);
	expect(runCommand()).toEqual({
		code: 1,
		stdout: "seed contract: 1 rows, 1 shown, 0 open, 2 problems\n",
		stderr:
			"docs/seed-contract.md: S003-01: a.ts does not exist\n" +
			"docs/seed-contract.md: S003-01: b.ts does not exist\n",
	});
});

test("no contract at all is a failure", () => {
	expect(check()).toMatchObject({ problems: ["the file does not exist"] });
});

test("a contract without rows, or without its list of issues, is a failure", () => {
	file("docs/seed-contract.md", "# The seed contract\n");
	expect(check().problems).toEqual([
		'there is no line "Issues not landed yet: …"',
		"there is no row",
	]);
});

describe("malformed rows", () => {
	const cases: [name: string, row: string, problem: string][] = [
		[
			"a missing cell",
			"| S003-01 | a claim | file | `a.ts` |",
			"S003-01: malformed row: 4 cells, not 5 (write | as \\|)",
		],
		[
			"an unescaped pipe",
			"| S003-01 | a | b | file | `a.ts` | check: exists |",
			"S003-01: malformed row: 6 cells, not 5 (write | as \\|)",
		],
		[
			"an id of another form",
			"| S3-1 | a claim | file | `a.ts` | check: exists |",
			'line 6: malformed row: "S3-1" is no id like S003-01',
		],
		[
			"an id of another table",
			"| S004-01 | a claim | file | `a.ts` | check: exists |",
			"S004-01: malformed row: the id belongs to another table",
		],
		[
			"no claim",
			"| S003-01 | | file | `a.ts` | check: exists |",
			"S003-01: malformed row: nothing in seed says",
		],
		[
			"an unknown kind",
			"| S003-01 | a claim | thing | `a.ts` | check: exists |",
			'S003-01: malformed row: "thing" is no kind',
		],
		[
			"a path out of the repository",
			"| S003-01 | a claim | file | `../a.ts` | check: exists |",
			'S003-01: malformed row: "`../a.ts`" is no path, path#name or none',
		],
		[
			"an absolute path",
			"| S003-01 | a claim | file | `/a.ts` | check: exists |",
			'S003-01: malformed row: "`/a.ts`" is no path, path#name or none',
		],
		[
			"a proof that is none",
			"| S003-01 | a claim | file | `a.ts` | surely |",
			'S003-01: malformed row: "surely" is no test, check or open issue',
		],
		[
			"an open row with a proof",
			"| S003-01 | a claim | file | `a.ts` | open: issue 4<br>check: exists |",
			"S003-01: malformed row: open: issue N stands alone",
		],
		[
			"no place for something that must exist",
			"| S003-01 | a claim | file | none | check: exists |",
			"S003-01: malformed row: only what check: absent shows may live in none",
		],
	];
	test.each(cases)("%s", (_name, row, problem) => {
		contract([row]);
		expect(check().problems).toContain(problem);
	});

	test("an id that repeats", () => {
		file("a.ts", "");
		const row = "| S003-01 | a claim | file | `a.ts` | check: exists |";
		contract([row, row]);
		expect(check()).toMatchObject({
			problems: ["S003-01: the id is used twice (line 7)"],
		});
	});

	test("an id that leaves a gap", () => {
		file("a.ts", "");
		contract(["| S003-02 | a claim | file | `a.ts` | check: exists |"]);
		expect(check()).toMatchObject({
			problems: ["S003-02: ids count without gaps, this is row 1 (line 6)"],
		});
	});

	test("other columns", () => {
		file(
			"docs/seed-contract.md",
			"Issues not landed yet: none\n## Seed 003: x\n| id | claim | kind | lives in | shown by |\n",
		);
		expect(check().problems).toContain(
			"line 3: the columns are id | seed says | kind | lives in | shown by",
		);
	});

	test("a list of issues that is none", () => {
		contract(["| S003-01 | a claim | file | `a.ts` | open: issue 4 |"], "4, soon");
		expect(check().problems).toContain('line 2: issue numbers with commas, or "none"; not soon');
	});
});

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

describe("open rows", () => {
	const row = "| S003-01 | a claim | file | `packages/bye/src/bye.ts` | open: issue 4 |";

	test("pass while their issue is pending, also when the package has begun", () => {
		file("packages/bye/src/index.ts", "");
		contract([row], "4, 5");
		expect(check().problems).toEqual([
			'issue 5 has no open row: take it off "Issues not landed yet"',
		]);
	});

	test("fail once their issue is off the list and the package is there", () => {
		file("packages/bye/src/index.ts", "");
		contract([row]);
		expect(check()).toMatchObject({
			problems: ["S003-01: open, although packages/bye is there and issue 4 is no longer pending"],
		});
	});

	test("fail once their issue is off the list, even without the package", () => {
		contract([row]);
		expect(check()).toMatchObject({
			problems: ["S003-01: open, although issue 4 is no longer pending"],
		});
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
