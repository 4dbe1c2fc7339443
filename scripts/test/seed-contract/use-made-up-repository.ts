import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { checkContract } from "../../seed-contract/check-contract.mjs";

/** An empty repository for each test, with what a test puts into it. */
export function useMadeUpRepository() {
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

	return { root: () => root, file, contract, check, problemsOfRow };
}
