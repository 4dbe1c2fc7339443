import type { Agent, AgentEvent } from "@baton/agent";
import { demoPieces } from "@baton/agent/demo";
import type { Frame } from "./peer";

/** What the demo agent says to a message. */
export const textOf = (message: string) => [...demoPieces(message)].join("");

export const seqs = (frames: Frame[]) => frames.map(({ data }) => Number(data?.seq));

/** An agent that does what a test says. */
export const scripted = (run: Agent["run"], recovery: Agent["recovery"] = "retry"): Agent => ({
	name: "scripted",
	recovery,
	run,
});

export const say = (content: string, delta = true): AgentEvent => ({
	type: "message",
	role: "assistant",
	content,
	delta,
});
