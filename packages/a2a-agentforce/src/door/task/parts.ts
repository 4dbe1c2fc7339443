import { type Artifact, type Message, type Part, Role } from "@a2a-js/sdk";

export function textPart(text: string): Part {
	return {
		content: { $case: "text", value: text },
		metadata: undefined,
		filename: "",
		mediaType: "",
	};
}

export function dataPart(data: unknown): Part {
	return {
		content: { $case: "data", value: data },
		metadata: undefined,
		filename: "",
		mediaType: "application/json",
	};
}

interface MessageIds {
	messageId: string;
	taskId: string;
	contextId: string;
}

/** What the door says in a status: to people, and to programs in data parts. */
export function agentMessage(ids: MessageIds, parts: Part[]): Message {
	return message(ids, Role.ROLE_AGENT, parts);
}

/** What the caller said, as far as it was kept: its texts. */
export function userMessage(ids: MessageIds, texts: readonly string[]): Message {
	return message(ids, Role.ROLE_USER, texts.filter((text) => text !== "").map(textPart));
}

function message(ids: MessageIds, role: Role, parts: Part[]): Message {
	return { ...ids, role, parts, metadata: undefined, extensions: [], referenceTaskIds: [] };
}

export function artifactOf(artifactId: string, parts: Part[]): Artifact {
	return {
		artifactId,
		name: "response",
		description: "",
		parts,
		metadata: undefined,
		extensions: [],
	};
}
