import { type Agent, AgentFailure, type AgentSource } from "@baton/agent";
import { BatonError } from "@baton/session";
import { type AgentKind, type KnownAgent, missingVariable } from "./agent-kind";
import { standIn } from "./stand-in";

/** What serves without a key, and in the place of what has none. */
const STAND_IN = "demo";

interface AgentsOptions {
	kinds: readonly AgentKind[];
	/** Whether `demo` serves for agents whose key is missing; otherwise those are errors. */
	standInForMissingKeys: boolean;
}

/** Every agent of this process, by name. */
export class Agents {
	readonly #kinds: readonly AgentKind[];
	readonly #standIn: Agent | undefined;

	constructor({ kinds, standInForMissingKeys }: AgentsOptions) {
		this.#kinds = kinds;
		this.#standIn = standInForMissingKeys ? this.find(STAND_IN)?.agent : undefined;
	}

	/** How agents are named, for people. */
	get names(): string[] {
		return this.#kinds.flatMap(({ names }) => names);
	}

	/** What a name stands for, or null. */
	find(name: string): KnownAgent | null {
		for (const kind of this.#kinds) {
			const known = kind.find(name);
			if (known) return known;
		}
		return null;
	}

	/** Throws when no agent has this name, as doors tell it to their callers. */
	check(name: string): void {
		if (!this.find(name)) throw new BatonError("invalid", this.#unknown(name));
	}

	/** The agent that serves under this name: itself, or demo in its place. */
	readonly source: AgentSource = (name) => {
		const known = this.find(name);
		if (!known) throw new AgentFailure("unknown_agent", this.#unknown(name));
		const missing = missingVariable(known);
		if (missing === undefined) return known.agent;
		if (this.#standIn) return standIn(this.#standIn, name, missing);
		throw new AgentFailure("missing_key", `The agent ${name} cannot serve: ${missing} is not set.`);
	};

	#unknown(name: string): string {
		return `There is no agent "${name}". There are: ${this.names.join(", ")}.`;
	}
}
