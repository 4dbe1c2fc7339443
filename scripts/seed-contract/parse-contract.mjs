/*
 * docs/seed-contract.md as values. The grammar is in that file, "How to read and change a row".
 */

const COLUMNS = ["id", "seed says", "kind", "lives in", "shown by"];

const KINDS = new Set(
	(
		"class command const convention doc done env error event field file flow format function " +
		"global key mapping method package rpc schema step test ttl type wire"
	).split(" "),
);

/**
 * @typedef {{ path: string, name: string | null, member: string | null }} Place
 * @typedef {{ open: number } | { check: string } | { path: string, titles: string[] }} Proof
 * @typedef {{ id: string, line: number, places: Place[], proofs: Proof[] }} Row
 */

/** @returns {{ rows: Row[], pending: Set<number>, problems: string[] }} */
export function parseContract(text) {
	const rows = [];
	const problems = [];
	const seen = new Set();
	const counts = new Map();
	let pending = null;
	let seed = null;

	for (const [index, line] of text.split(/\r?\n/).entries()) {
		const at = `line ${index + 1}`;
		const heading = /^## (.*)$/.exec(line);
		if (heading) seed = /^Seed (\d{3})\b/.exec(heading[1])?.[1] ?? null;

		const list = /^Issues not landed yet:(.*)$/.exec(line);
		if (list) pending = parsePending(list[1], at, problems);

		if (seed === null || !line.startsWith("|")) continue;
		const cells = splitCells(line);
		if (cells.every((cell) => /^:?-+:?$/.test(cell))) continue;
		if (cells[0] === COLUMNS[0]) {
			if (cells.join() !== COLUMNS.join())
				problems.push(`${at}: the columns are ${COLUMNS.join(" | ")}`);
			continue;
		}

		const row = parseRow(cells, index + 1, seed, problems);
		if (!row) continue;
		if (seen.has(row.id)) {
			problems.push(`${row.id}: the id is used twice (${at})`);
			continue;
		}
		seen.add(row.id);
		const count = (counts.get(seed) ?? 0) + 1;
		counts.set(seed, count);
		if (Number(row.id.slice(5)) !== count)
			problems.push(`${row.id}: ids count without gaps, this is row ${count} (${at})`);
		rows.push(row);
	}

	if (pending === null) problems.push('there is no line "Issues not landed yet: …"');
	if (rows.length === 0) problems.push("there is no row");
	return { rows, pending: pending ?? new Set(), problems };
}

function parsePending(text, at, problems) {
	const items = text
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "" && item !== "none");
	const bad = items.filter((item) => !/^\d+$/.test(item));
	if (bad.length > 0)
		problems.push(`${at}: issue numbers with commas, or "none"; not ${bad.join(", ")}`);
	return new Set(items.map(Number));
}

function splitCells(line) {
	const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
	return cells.slice(1, cells.at(-1) === "" ? -1 : undefined);
}

function parseRow(cells, line, seed, problems) {
	const [id = "", says = "", kind = "", livesIn = "", shownBy = ""] = cells;
	const label = /^S\d{3}-\d{2,}$/.test(id) ? id : `line ${line}`;
	const malformed = (why) => {
		problems.push(`${label}: malformed row: ${why}`);
		return null;
	};
	if (cells.length !== COLUMNS.length)
		return malformed(`${cells.length} cells, not ${COLUMNS.length} (write | as \\|)`);
	if (label !== id) return malformed(`"${id}" is no id like S${seed}-01`);
	if (!id.startsWith(`S${seed}-`)) return malformed(`the id belongs to another table`);
	if (says === "") return malformed("nothing in seed says");
	if (!KINDS.has(kind)) return malformed(`"${kind}" is no kind`);

	const places = livesIn === "none" ? [] : splitList(livesIn).map(parsePlace);
	if (places.includes(null)) return malformed(`"${livesIn}" is no path, path#name or none`);
	const proofs = splitList(shownBy).map(parseProof);
	if (proofs.includes(null) || proofs.length === 0)
		return malformed(`"${shownBy}" is no test, check or open issue`);
	if (proofs.length > 1 && proofs.some((proof) => "open" in proof))
		return malformed("open: issue N stands alone");
	if (places.length === 0 && !proofs.every((proof) => proof.check?.startsWith("absent ")))
		return malformed("only what check: absent shows may live in none");
	return { id, line, places, proofs };
}

function splitList(cell) {
	return cell
		.split(/<br\s*\/?>/)
		.map((item) => item.trim())
		.filter((item) => item !== "");
}

function unquote(text) {
	return text.replace(/^`([^`]*)`$/, "$1");
}

function isPath(text) {
	return /^[^\s/#`][^\s#`]*$/.test(text) && !text.split("/").includes("..");
}

function parsePlace(item) {
	const match = /^([^#]+)(?:#([\w$]+)(?:\.([\w$]+))?)?$/.exec(unquote(item));
	if (!match || !isPath(match[1])) return null;
	return { path: match[1], name: match[2] ?? null, member: match[3] ?? null };
}

function parseProof(item) {
	const open = /^open: issue (\d+)$/.exec(item);
	if (open) return { open: Number(open[1]) };
	const check = /^check: (.+)$/.exec(item);
	if (check) return { check: unquote(check[1]) };
	const [path, ...titles] = item.split("›").map((part) => part.trim());
	if (!isPath(unquote(path)) || titles.length === 0 || titles.includes("")) return null;
	return { path: unquote(path), titles };
}
