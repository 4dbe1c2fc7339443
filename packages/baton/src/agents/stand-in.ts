import type { Agent } from "@baton/agent";

/** An agent that serves in another's place, and says so at the end of each turn. */
export function standIn(agent: Agent, wanted: string, keyVariable: string): Agent {
	const notice = `The demo agent answered in place of ${wanted}: ${keyVariable} is not set.`;
	return {
		...agent,
		async *run(turn) {
			const end = yield* agent.run(turn);
			return { ...end, notice: end?.notice ? `${notice} ${end.notice}` : notice };
		},
	};
}

/** For the start, before anyone has been answered. */
export function standInReason(wanted: string, keyVariable: string): string {
	return `demo, in place of ${wanted}: ${keyVariable} is not set`;
}
