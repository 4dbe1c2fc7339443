import type { Agent } from "@baton/agent";

/** What serves in the place of an agent that lacks something, and what it is called. */
export interface StandIn {
	agent: Agent;
	/** At the start of a sentence: `The demo agent`. */
	title: string;
	/** In a list: `demo`. */
	label: string;
}

/** An agent that cannot serve: as it was asked for, and what it runs on where that is another name. */
interface Wanted {
	name: string;
	model: string | undefined;
}

/** An agent that serves in another's place, and says so at the end of each turn. */
export function standIn({ agent, title }: StandIn, wanted: Wanted, keyVariable: string): Agent {
	const notice = `${title} answered in place of ${whatIsMissing(wanted, keyVariable)}`;
	return {
		...agent,
		async *run(turn) {
			const end = yield* agent.run(turn);
			return { ...end, notice: end?.notice ? `${notice} ${end.notice}` : notice };
		},
	};
}

/** For the start, before anyone has been answered. */
export function standInReason({ label }: StandIn, wanted: string, keyVariable: string): string {
	return `${label}, in place of ${wanted}: ${keyVariable} is not set`;
}

/** For a person who has set nothing yet: what it needs, and each way to give it that. */
function whatIsMissing({ name, model }: Wanted, keyVariable: string): string {
	const again = `Set ${keyVariable} and start Baton again`;
	return model === undefined
		? `${name}, which needs ${keyVariable}. ${again} for the real one.`
		: `${name}, which runs on ${model} and needs ${keyVariable}. ${again}, or give ${name} another model in workspace/AGENTS.md.`;
}
