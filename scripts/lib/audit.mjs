import { satisfies } from "semver";
import { runCommand } from "./run-command.mjs";
import { bin } from "./workspace.mjs";

/** What fails a build. Less than that is counted, and left to the next update. */
const GRAVE = new Set(["high", "critical"]);
const PATIENCE_MS = 30_000;

/**
 * @typedef {object} Advisory as the registry sends it, as far as it is looked at
 * @property {string} title
 * @property {string} severity
 * @property {string} url
 * @property {string} vulnerable_versions
 */

/**
 * Asks the registry for known vulnerabilities of everything that is needed to run Baton, by the
 * address that npm itself asks. A registry that gives no such answer is no reason to stop a build, and
 * no reason to call it clean: the step is then skipped, and says so.
 *
 * @param {{ packages?: Record<string, string[]>, registry?: string }} [options]
 * @returns {Promise<import("./report.mjs").Outcome>}
 */
export async function auditDependencies({ packages, registry } = {}) {
	const shipped = packages ?? (await productionPackages());
	let advisories;
	try {
		advisories = await askRegistry(registry ?? (await registryAddress()), shipped);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return {
			status: "skipped",
			note: "the registry does not answer",
			output: `Nothing is known about vulnerabilities in this run: ${reason}.\nAsk again with: npm run audit`,
		};
	}
	const found = vulnerabilities(shipped, advisories);
	const grave = found.filter(({ severity }) => GRAVE.has(severity));
	const note = `${Object.keys(shipped).length} packages, ${found.length - grave.length} lesser advisories`;
	if (grave.length === 0) return { status: "passed", note };
	const lines = grave.map(
		({ name, version, severity, title, url }) =>
			`${severity}: ${name} ${version}: ${title}\n  ${url}`,
	);
	return { status: "failed", note, output: lines.join("\n") };
}

/** Every package that is installed for production, in any package of the workspace. */
async function productionPackages() {
	const { ok, output } = await runCommand(bin("pnpm"), ["licenses", "list", "--prod", "--json"]);
	if (!ok) throw new Error(`pnpm cannot list the packages: ${output}`);
	/** @type {Record<string, { name: string, versions: string[] }[]>} */
	const byLicense = JSON.parse(output.slice(output.indexOf("{")));
	const packages = Object.values(byLicense).flat();
	return Object.fromEntries(packages.map(({ name, versions }) => [name, versions]));
}

/** The one that npm is set to, which knows its own default. */
async function registryAddress() {
	const { output } = await runCommand("npm", ["config", "get", "registry"]);
	const address = output.trim().split("\n").at(-1) ?? "";
	if (!address.startsWith("http")) throw new Error("npm does not say which registry it uses");
	return address;
}

/**
 * @param {string} registry
 * @param {Record<string, string[]>} packages
 * @returns {Promise<Record<string, Advisory[]>>}
 */
async function askRegistry(registry, packages) {
	const url = new URL("-/npm/v1/security/advisories/bulk", registry.replace(/\/*$/, "/"));
	const answer = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json" },
		body: JSON.stringify(packages),
		signal: AbortSignal.timeout(PATIENCE_MS),
	}).catch((error) => {
		throw new Error(`its audit address cannot be reached (${error.cause?.code ?? error.name})`);
	});
	if (!answer.ok) throw new Error(`its audit address answers ${answer.status}`);
	const body = await answer.json().catch(() => null);
	const isAnswer = body !== null && typeof body === "object" && !Array.isArray(body);
	if (!isAnswer || !Object.values(body).every(Array.isArray)) {
		throw new Error("what its audit address answers is no list of advisories");
	}
	return body;
}

/**
 * @param {Record<string, string[]>} packages
 * @param {Record<string, Advisory[]>} advisories
 */
function vulnerabilities(packages, advisories) {
	return Object.entries(advisories).flatMap(([name, list]) =>
		list.flatMap((advisory) =>
			(packages[name] ?? [])
				.filter((version) => satisfies(version, advisory.vulnerable_versions))
				.map((version) => ({ name, version, ...advisory })),
		),
	);
}
