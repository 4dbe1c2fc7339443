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

/** What the door says in a status: to people, and to programs in data parts. */
export function agentMessage(
	ids: { messageId: string; taskId: string; contextId: string },
	parts: Part[],
): Message {
	return {
		...ids,
		role: Role.ROLE_AGENT,
		parts,
		metadata: undefined,
		extensions: [],
		referenceTaskIds: [],
	};
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
