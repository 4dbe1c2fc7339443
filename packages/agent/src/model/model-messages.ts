import type { ModelMessage } from "ai";
import type { HistoryMessage } from "../agent";

/** The conversation as a model gets it. Turns that ended without a word are left out. */
export function modelMessages(
	history: readonly HistoryMessage[],
	input: { content: string; document?: string },
	maxHistory: number,
): ModelMessage[] {
	const before = history
		.filter(({ content }) => content.trim() !== "")
		.slice(-maxHistory)
		.map(({ role, content }): ModelMessage => ({ role, content }));
	const { content, document } = input;
	const message =
		document === undefined ? content : `${content}\n\n<document>\n${document}\n</document>`;
	return [...before, { role: "user", content: message }];
}
