import type { Agent } from "@baton/agent";

/** What serves in the place of an agent that lacks something, and what it is called. */
export interface StandIn {
	agent: Agent;
	/** At the start of a sentence: `The demo agent`. */
	title: string;
	/** In a list: `demo`. */
	label: string;
}

/** An agent that serves in another's place, and says so at the end of each turn. */
export function standIn({ agent, title }: StandIn, wanted: string, keyVariable: string): Agent {
	const notice = `${title} answered in place of ${wanted}: ${keyVariable} is not set.`;
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
