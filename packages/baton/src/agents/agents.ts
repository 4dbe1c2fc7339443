import { AgentFailure, type AgentSource } from "@baton/agent";
import { BatonError } from "@baton/session";
import { type AgentKind, explainUnknown, type KnownAgent, missingVariable } from "./agent-kind";
import { type StandIn, standIn, standInReason } from "./stand-in";

/** What serves without a key, and in the place of what has none. */
const STAND_IN = "demo";

interface AgentsOptions {
	kinds: readonly AgentKind[];
	/** Whether another serves for agents whose key is missing, `demo` mostly; else those are errors. */
	standInForMissingKeys: boolean;
}

/** Every agent of this process, by name. */
export class Agents {
	readonly #kinds: readonly AgentKind[];
	readonly #demo: StandIn | undefined;
	readonly #standInForMissingKeys: boolean;

	constructor({ kinds, standInForMissingKeys }: AgentsOptions) {
		this.#kinds = kinds;
		this.#standInForMissingKeys = standInForMissingKeys;
		const demo = this.find(STAND_IN)?.agent;
		this.#demo = demo && { agent: demo, title: "The demo agent", label: STAND_IN };
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
		if (!this.find(name)) throw new BatonError("invalid", this.explainUnknown(name));
	}

	/** What serves in the place of this agent, and why, in words. Undefined: nothing does. */
	replacementOf(name: string): { label: string; reason: string } | undefined {
		const known = this.find(name);
		const missing = known && missingVariable(known);
		const other = missing && this.#standInOf(known);
		if (!other) return undefined;
		return { label: other.label, reason: standInReason(other, titleOf(name, known), missing) };
	}

	/** Frees what agents share. No turn may run any more. */
	async close(): Promise<void> {
		await Promise.all(this.#kinds.map((kind) => kind.close?.()));
	}

	/** The agent that serves under this name: itself, or another in its place. */
	readonly source: AgentSource = (name) => {
		const known = this.find(name);
		if (!known) throw new AgentFailure("unknown_agent", this.explainUnknown(name));
		const missing = missingVariable(known);
		if (missing === undefined) return known.agent;
		const other = this.#standInOf(known);
		if (other) return standIn(other, { name, model: known.model }, missing);
		const reason = `The agent ${titleOf(name, known)} cannot serve: ${missing} is not set.`;
		throw new AgentFailure("missing_key", reason);
	};

	#standInOf(known: KnownAgent): StandIn | undefined {
		return this.#standInForMissingKeys ? (known.standIn ?? this.#demo) : undefined;
	}

	/** Why no agent has this name, with those that there are. */
	explainUnknown(name: string): string {
		return explainUnknown(name, this.#kinds);
	}
}

/** What is missing is missing to the model, whatever name a person gave it. */
function titleOf(name: string, { model }: KnownAgent): string {
	return model === undefined ? name : `${name} (${model})`;
}
