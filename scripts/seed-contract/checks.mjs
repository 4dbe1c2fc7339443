/*
 * What `check: …` can say. Each check gets the root and the words of its pattern, and returns null
 * or what is wrong.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const CHECKS = [
	[/^exists$/, () => null],
	[/^absent (\S+)$/, absent],
	[/^mentions (\S+) › (.+)$/, mentions],
	[/^workspace (\S+)$/, workspace],
	[/^catalog (\S+) (\S+)$/, catalog],
	[/^dev dependency (\S+)$/, devDependency],
	[/^dependency (\S+) in (\S+)$/, dependency],
	[/^script (\S+)(?: (?!in )(\S+))?(?: in (\S+))?$/, script],
	[/^tsconfig (\S+) (\S+)$/, tsconfig],
	[/^phase (\d+) done$/, phaseDone],
];

export function failedCheck(root, check) {
	for (const [pattern, run] of CHECKS) {
		const match = pattern.exec(check);
		if (!match) continue;
		try {
			return run(root, ...match.slice(1));
		} catch (error) {
			return error.message;
		}
	}
	return "no such check";
}

function absent(root, path) {
	return existsSync(join(root, path)) ? `${path} exists` : null;
}

function mentions(root, path, text) {
	return read(root, path).includes(text) ? null : `${path} does not mention "${text}"`;
}

function workspace(root, glob) {
	const globs = yamlSection(root, "packages").map((line) => unquote(line.replace(/^- */, "")));
	return globs.includes(glob) ? null : `pnpm-workspace.yaml does not list ${glob}`;
}

/** The catalog has the version, and no package takes the dependency from anywhere else. */
function catalog(root, name, version) {
	const entries = yamlSection(root, "catalog").map((line) => line.split(/:\s+/).map(unquote));
	const actual = entries.find(([key]) => key === name)?.[1];
	if (actual !== version)
		return `the catalog has ${name} ${actual ?? "not at all"}, not ${version}`;
	for (const folder of packageFolders(root)) {
		const asked = dependenciesOf(readJson(root, join(folder, "package.json")))[name];
		if (asked !== undefined && asked !== "catalog:" && asked !== version)
			return `${folder} asks for ${name} ${asked}, not "catalog:"`;
	}
	return null;
}

function devDependency(root, name) {
	const found = readJson(root, "package.json").devDependencies?.[name];
	return found ? null : `package.json has no dev dependency ${name}`;
}

function dependency(root, name, folder) {
	const found = readJson(root, join(folder, "package.json")).dependencies?.[name];
	return found ? null : `${folder}/package.json does not depend on ${name}`;
}

function script(root, name, word, folder = ".") {
	const path = join(folder, "package.json");
	const command = readJson(root, path).scripts?.[name];
	if (!command) return `${path} has no script ${name}`;
	if (word && !command.split(/\s+/).includes(word)) return `${path}: ${name} does not run ${word}`;
	return null;
}

/** The option holds in the base configuration and in what every package makes of it. */
function tsconfig(root, option, value) {
	const files = [
		"tsconfig.base.json",
		...packageFolders(root)
			.map((folder) => join(folder, "tsconfig.json"))
			.filter((path) => existsSync(join(root, path))),
	];
	for (const path of files) {
		const actual = compilerOption(join(root, path), option);
		if (String(actual).toLowerCase() !== value.toLowerCase())
			return `${path} has ${option} ${actual}, not ${value}`;
	}
	return null;
}

function compilerOption(file, option) {
	const { config, error } = ts.readConfigFile(file, (path) => readFileSync(path, "utf8"));
	if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, " "));
	if (config.compilerOptions && option in config.compilerOptions)
		return config.compilerOptions[option];
	for (const base of [config.extends ?? []].flat().reverse()) {
		if (!base.startsWith(".")) continue;
		const value = compilerOption(join(dirname(file), base), option);
		if (value !== undefined) return value;
	}
	return undefined;
}

function phaseDone(root, phase) {
	const row = read(root, "AGENTS.md")
		.split("\n")
		.find((line) => new RegExp(`^\\| *${phase} *\\|`).test(line));
	if (!row) return `AGENTS.md has no status of phase ${phase}`;
	return row.includes("✅ DONE") ? null : `phase ${phase} is not ✅ DONE in AGENTS.md`;
}

function read(root, path) {
	if (!existsSync(join(root, path))) throw new Error(`${path} does not exist`);
	return readFileSync(join(root, path), "utf8");
}

function readJson(root, path) {
	return JSON.parse(read(root, path));
}

function packageFolders(root) {
	const parent = join(root, "packages");
	if (!existsSync(parent)) return [];
	return readdirSync(parent)
		.map((name) => join("packages", name))
		.filter((folder) => existsSync(join(root, folder, "package.json")));
}

function dependenciesOf(manifest) {
	return { ...manifest.devDependencies, ...manifest.dependencies };
}

/** The indented lines under a top-level key of pnpm-workspace.yaml; all that this file needs of YAML. */
function yamlSection(root, key) {
	const lines = read(root, "pnpm-workspace.yaml").split("\n");
	const start = lines.indexOf(`${key}:`) + 1;
	if (start === 0) return [];
	const end = lines.findIndex((line, index) => index >= start && /^\S/.test(line));
	return lines
		.slice(start, end === -1 ? undefined : end)
		.map((line) => line.trim())
		.filter(Boolean);
}

function unquote(text) {
	return text.trim().replace(/^(["'])(.*)\1$/, "$2");
}
