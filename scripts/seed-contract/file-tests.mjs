/* The titles of the tests in a file, by its syntax. */

import { readFileSync } from "node:fs";
import ts from "typescript";

const SUITES = new Set(["describe", "suite"]);
const TESTS = new Set(["it", "test"]);
const NOT_RUN = new Set(["skip", "todo"]);

/** Null when the test is there and runs; otherwise why not. The last title is the test's own. */
export function missingTest(file, titles) {
	const source = ts.createSourceFile(
		file,
		readFileSync(file, "utf8"),
		ts.ScriptTarget.Latest,
		true,
	);
	const hits = collect(source, [], true).filter((test) => matches(test.path, titles));
	if (hits.length === 0) return `has no test "${titles.join(" › ")}"`;
	if (!hits.some((test) => test.runs)) return `skips the test "${titles.join(" › ")}"`;
	return null;
}

function collect(node, path, runs) {
	const call = ts.isCallExpression(node) ? readCall(node) : null;
	if (!call) {
		const found = [];
		ts.forEachChild(node, (child) => {
			found.push(...collect(child, path, runs));
		});
		return found;
	}
	const here = [...path, call.title];
	const runsHere = runs && !call.modifiers.some((modifier) => NOT_RUN.has(modifier));
	if (call.kind === "test") return [{ path: here, runs: runsHere }];
	return node.arguments.slice(1).flatMap((argument) => collect(argument, here, runsHere));
}

/** `test("…")`, `test.skip("…")`, `test.each(rows)("…")`, `describe.skipIf(no)("…")` and their like. */
function readCall(node) {
	const title = node.arguments[0] && titleOf(node.arguments[0]);
	if (!title) return null;
	const modifiers = [];
	let callee = node.expression;
	while (!ts.isIdentifier(callee)) {
		if (ts.isPropertyAccessExpression(callee)) {
			modifiers.push(callee.name.text);
			callee = callee.expression;
		} else if (ts.isCallExpression(callee)) callee = callee.expression;
		else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag;
		else return null;
	}
	if (TESTS.has(callee.text)) return { kind: "test", title, modifiers };
	if (SUITES.has(callee.text)) return { kind: "suite", title, modifiers };
	return null;
}

/** A title is its literal pieces; between two pieces, anything may stand. */
function titleOf(node) {
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isTemplateExpression(node))
		return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
	return null;
}

function matches(path, titles) {
	if (titles.length > path.length) return false;
	return path
		.slice(-titles.length)
		.every((pieces, index) => matchesTitle(pieces, titles[index] ?? ""));
}

function matchesTitle(pieces, title) {
	const escaped = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`^${escaped.join(".*")}$`, "su").test(title);
}
