import type { Agent } from "@baton/agent";
import type { StandIn } from "./stand-in";

/** An agent that a name stands for, and what it needs to serve. */
export interface KnownAgent {
	agent: Agent;
	/** The variable that it cannot serve without: its key, mostly. */
	requires?: { variable: string; isSet: boolean };
	/** What serves while that is not set. Default: `demo`. */
	standIn?: StandIn;
	/** The program that it runs, and how to get it. */
	program?: { name: string; install: string };
}

/** Agents of one kind. */
export interface AgentKind {
	/** How its agents are named, for people: `gemini`, `anthropic/…`. */
	readonly names: readonly string[];
	/** The agent, or null when the name is not of this kind. */
	find(name: string): KnownAgent | null;
	/** Frees what its agents share. */
	close?(): Promise<void>;
}

/** The variable that keeps an agent from serving. */
export function missingVariable({ requires }: KnownAgent): string | undefined {
	return requires && !requires.isSet ? requires.variable : undefined;
}
