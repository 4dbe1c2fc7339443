import type { Agent } from "@baton/agent";
import type { StandIn } from "./stand-in";

/** An agent that a name stands for, and what it needs to serve. */
export interface KnownAgent {
	agent: Agent;
	/** The variable that it cannot serve without: its key, mostly. */
	requires?: { variable: string; isSet: boolean };
	/** What serves while that is not set. Default: `demo`. */
	standIn?: StandIn;
	/** For people, where a name of theirs stands for it: the model that serves under that name. */
	model?: string;
	/** The program that it runs, and how to get it. */
	program?: { name: string; install: string };
}

/** Agents of one kind. */
export interface AgentKind {
	/** How its agents are named, for people: `gemini`, `anthropic/…`. */
	readonly names: readonly string[];
	/** The agent, or null when the name is not of this kind. */
	find(name: string): KnownAgent | null;
	/** Why a name that looks like one of this kind is none. Undefined: it does not look like one. */
	explainUnknown?(name: string): string | undefined;
	/** Frees what its agents share. */
	close?(): Promise<void>;
}

/** The variable that keeps an agent from serving. */
export function missingVariable({ requires }: KnownAgent): string | undefined {
	return requires && !requires.isSet ? requires.variable : undefined;
}

/** Why no agent of these kinds has this name, in words that name those that there are. */
export function explainUnknown(name: string, kinds: readonly AgentKind[]): string {
	for (const kind of kinds) {
		const reason = kind.explainUnknown?.(name);
		if (reason !== undefined) return reason;
	}
	const there = kinds.flatMap(({ names }) => names).join(", ");
	return `There is no agent "${name}". There are: ${there}.`;
}
