import type { Line } from "../agent-api/line";
import type { ChatChunk } from "../chat/chat-message";

/** The agent's own tools, which it runs itself: each call and each result once, however often told. */
export class AgentToolChunks {
	readonly #state = new Map<string, "called" | "done">();

	feed(line: Line): ChatChunk[] {
		const { type, tool_id: toolCallId, tool_name: name } = line;
		if (typeof toolCallId !== "string") return [];
		const own = { toolCallId, providerExecuted: true, dynamic: true } as const;
		const state = this.#state.get(toolCallId);
		if (type === "tool_use") {
			if (state) return [];
			this.#state.set(toolCallId, "called");
			const toolName = typeof name === "string" ? name : "tool";
			return [{ type: "tool-input-available", ...own, toolName, input: line.parameters ?? {} }];
		}
		if (state !== "called") return [];
		this.#state.set(toolCallId, "done");
		if (line.status !== "error") {
			return [{ type: "tool-output-available", ...own, output: line.output ?? "" }];
		}
		const told = line.error ?? line.output ?? "It failed.";
		const errorText = typeof told === "string" ? told : JSON.stringify(told);
		return [{ type: "tool-output-error", ...own, errorText }];
	}
}
