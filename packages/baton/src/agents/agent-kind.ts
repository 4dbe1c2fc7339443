import type { Agent } from "@baton/agent";

/** An agent that a name stands for, and what it needs to serve. */
export interface KnownAgent {
	agent: Agent;
	/** The variable that it cannot serve without: its key, mostly. */
	requires?: { variable: string; isSet: boolean };
	/** The program that it runs, and how to get it. */
	program?: { name: string; install: string };
}

/** Agents of one kind. */
export interface AgentKind {
	/** How its agents are named, for people: `gemini`, `anthropic/…`. */
	readonly names: readonly string[];
	/** The agent, or null when the name is not of this kind. */
	find(name: string): KnownAgent | null;
}

/** The variable that keeps an agent from serving. */
export function missingVariable({ requires }: KnownAgent): string | undefined {
	return requires && !requires.isSet ? requires.variable : undefined;
}
