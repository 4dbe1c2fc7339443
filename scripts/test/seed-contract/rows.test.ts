import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { useMadeUpRepository } from "./use-made-up-repository";

const { root, file, contract, check } = useMadeUpRepository();

function runCommand(): { code: number | null; stdout: string; stderr: string } {
	const command = fileURLToPath(new URL("../../check-seed-contract.mjs", import.meta.url));
	const { status, stdout, stderr } = spawnSync(process.execPath, [command, "--root", root()], {
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
