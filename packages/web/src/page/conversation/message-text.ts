import type { ChatMessage } from "../../chat/chat-message";

type Part = ChatMessage["parts"][number];

/**
 * The parts that count. A recovered agent may have said something else the second time: what was
 * shown before that is not its word any more.
 */
export function partsThatCount({ parts }: ChatMessage): Part[] {
	const since = parts.findLastIndex(
		(part) => part.type === "text" && part.providerMetadata?.giselle?.retracted === true,
	);
	return since < 0 ? parts : parts.filter((part, index) => index >= since || part.type !== "text");
}

export function textOf(message: ChatMessage): string {
	return partsThatCount(message)
		.map((part) => (part.type === "text" ? part.text : ""))
		.join("");
}
