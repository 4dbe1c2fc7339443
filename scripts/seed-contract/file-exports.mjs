/*
 * What a source file exports, by its syntax alone: no build, no installed types needed. Re-exports
 * and imports are followed through relative paths.
 */

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const SOURCE = /\.[cm]?[jt]sx?$/;
const SUFFIXES = ["", ".ts", ".tsx", ".mts", ".mjs", ".js", "/index.ts", "/index.tsx"];

/** Null when the file has it; otherwise what is missing. `globalThis` as name asks for a global. */
export function missingExport(file, name, member) {
	if (!SOURCE.test(file)) return `is no source file, so it cannot export ${name}`;
	if (name === "globalThis")
		return mentionsIdentifier(parse(file), member) ? null : `does not use globalThis.${member}`;
	const found = findExport(file, name, new Set());
	if (!found) return `does not export ${name}`;
	if (member === null || found.declarations.some((node) => hasMember(node, member, new Set())))
		return null;
	return `exports ${name}, but without ${member}`;
}

function parse(file) {
	return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

function resolveRelative(fromFile, specifier) {
	if (!specifier.startsWith(".")) return null;
	const target = join(dirname(fromFile), specifier);
	const bases = [target, target.replace(/\.([cm]?)js(x?)$/, ".$1ts$2")];
	return (
		bases
			.flatMap((base) => SUFFIXES.map((suffix) => base + suffix))
			.find((path) => existsSync(path) && statSync(path).isFile()) ?? null
	);
}

/** `declarations` is empty when the name comes from another package. */
function findExport(file, name, visited) {
	if (visited.has(file)) return null;
	visited.add(file);
	const source = parse(file);
	for (const statement of source.statements) {
		if (ts.isExportAssignment(statement) && name === "default")
			return { declarations: [statement] };
		if (ts.isExportDeclaration(statement)) {
			const found = findReExport(source, statement, name, visited);
			if (found) return found;
		}
	}
	const exported = declarationsOf(source, name).filter(isExported);
	return exported.length > 0 ? { declarations: exported } : null;
}

function findReExport(source, statement, name, visited) {
	const from = statement.moduleSpecifier?.text;
	const clause = statement.exportClause;
	const target = from === undefined ? null : resolveRelative(source.fileName, from);
	if (!clause) return target && findExport(target, name, visited);
	if (ts.isNamespaceExport(clause)) return clause.name.text === name ? { declarations: [] } : null;
	const specifier = clause.elements.find((element) => element.name.text === name);
	if (!specifier) return null;
	const original = (specifier.propertyName ?? specifier.name).text;
	if (from === undefined) return { declarations: lookUp(source, original) };
	return target ? findExport(target, original, visited) : { declarations: [] };
}

function isExported(node) {
	const owner = ts.isVariableDeclaration(node) ? node.parent.parent : node;
	return (ts.getCombinedModifierFlags(owner) & ts.ModifierFlags.Export) !== 0;
}

/** Top-level declarations of a name; an interface may have several. */
function declarationsOf(source, name) {
	return source.statements
		.flatMap((statement) =>
			ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement],
		)
		.filter((node) => node.name !== undefined && ts.isIdentifier(node.name))
		.filter((node) => node.name.text === name);
}

/** Declarations of a name used in a file: its own, or those of a relative import. */
function lookUp(source, name) {
	const own = declarationsOf(source, name);
	if (own.length > 0) return own;
	for (const statement of source.statements) {
		const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
		if (!bindings || !ts.isNamedImports(bindings)) continue;
		const specifier = bindings.elements.find((element) => element.name.text === name);
		const target = specifier && resolveRelative(source.fileName, statement.moduleSpecifier.text);
		if (target)
			return (
				findExport(target, (specifier.propertyName ?? specifier.name).text, new Set())
					?.declarations ?? []
			);
	}
	return [];
}

/**
 * Looks at the members of the declaration and of what its type is made of: a base class, the parts
 * of an intersection, the schema it is inferred from. Never inside another member.
 */
function hasMember(node, member, visited) {
	if (visited.has(node)) return false;
	visited.add(node);
	const references = [];
	let found = false;
	const visit = (child) => {
		if (isMember(child) && !ts.isConstructorDeclaration(child)) {
			found ||= nameOf(child) === member;
			return;
		}
		if (ts.isBlock(child)) return;
		if (ts.isIdentifier(child)) references.push(child.text);
		ts.forEachChild(child, visit);
	};
	ts.forEachChild(node, visit);
	if (found) return true;
	return references.some((name) =>
		lookUp(node.getSourceFile(), name).some((target) => hasMember(target, member, visited)),
	);
}

function isMember(node) {
	return (
		ts.isTypeElement(node) ||
		ts.isClassElement(node) ||
		ts.isObjectLiteralElement(node) ||
		ts.isParameterPropertyDeclaration(node, node.parent)
	);
}

function nameOf(node) {
	const name = node.name;
	return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : null;
}

function mentionsIdentifier(node, text) {
	if ((ts.isIdentifier(node) || ts.isStringLiteral(node)) && node.text === text) return true;
	return ts.forEachChild(node, (child) => mentionsIdentifier(child, text)) ?? false;
}
