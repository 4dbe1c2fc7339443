import type { AgentKind, KnownAgent } from "../agents/agent-kind";
import { findProgram } from "../agents/find-program";
import type { Config } from "../config/config";
import type { Check } from "./check";

/** Each agent that has a name of its own, and the default one: is its key set, its program there? */
export async function checkAgents(config: Config, kinds: readonly AgentKind[]): Promise<Check[]> {
	const find = (name: string) => {
		for (const kind of kinds) {
			const known = kind.find(name);
			if (known) return known;
		}
		return null;
	};
	const names = new Set([config.agent, ...kinds.flatMap((kind) => kind.names)]);
	const checks: Check[] = [];
	for (const name of names) {
		const known = find(name);
		const isDefault = name === config.agent;
		if (known) checks.push(await checkAgent(name, known, isDefault, config));
		else if (isDefault) checks.push(unknownDefault(name));
	}
	return checks;
}

async function checkAgent(
	name: string,
	{ requires, standIn, program }: KnownAgent,
	isDefault: boolean,
	{ demoStandsIn, environment }: Config,
): Promise<Check> {
	const label = `agent ${name}`;
	const path = program && (await findProgram(program.name, environment.PATH ?? ""));
	const parts = [
		isDefault && "the default",
		requires && `${requires.variable} is ${requires.isSet ? "set" : "not set"}`,
		program && (path ? `${program.name} is ${path}` : `not installed (${program.install})`),
		!requires && "needs no key",
	];
	const detail = parts.filter(Boolean).join("; ");
	const hasKey = requires?.isSet ?? true;
	const usable = hasKey && (!program || path !== null);
	if (usable) return { name: label, status: "ok", detail };
	// Without a key nobody meant to use it; as the default somebody did.
	if (!isDefault) return { name: label, status: hasKey ? "warn" : "idle", detail };
	return !hasKey && demoStandsIn
		? {
				name: label,
				status: "warn",
				detail: `${detail}; ${standIn?.label ?? "demo"} answers in its place`,
			}
		: { name: label, status: "fail", detail };
}

function unknownDefault(name: string): Check {
	return { name: `agent ${name}`, status: "fail", detail: "BATON_AGENT names no agent" };
}
