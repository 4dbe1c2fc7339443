import type { Agent, Turn } from "../../src/agent";

type Script = Agent["run"];

/** An agent that does what a test says. */
export function scriptedAgent(run: Script, recovery: Agent["recovery"] = "retry"): Agent {
	return { name: "scripted", recovery, run };
}

/** Says some words, then ends. */
export const say = (...words: string[]): Script =>
	async function* () {
		for (const content of words) yield { type: "message", role: "assistant", content, delta: true };
		return undefined;
	};

/** Says a word, then waits until it is stopped. */
export const hang = (started?: () => void): Script =>
	async function* (turn: Turn) {
		yield { type: "message", role: "assistant", content: "working", delta: true };
		started?.();
		await new Promise<void>((resolve) => {
			if (turn.signal.aborted) resolve();
			turn.signal.addEventListener("abort", () => resolve());
		});
		return undefined;
	};
