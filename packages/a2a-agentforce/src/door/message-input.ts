import { type Message, type Part, Role } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import type { TurnInput } from "@baton/agent";
import { shapedMessage } from "./request-shapes";
import { MESSAGE_ID } from "./task/message-key";

/** Media types that become text for the agent. The card says the same. */
export const INPUT_MODES = ["text/plain", "text/markdown", "text/csv", "application/json"];

/** What a message says to the agent: its text, and the rest as a document to read along. */
export function inputOf(message: Message): TurnInput {
	const said: string[] = [];
	const attached: string[] = [];
	for (const part of message.parts) {
		if (part.content?.$case === "text") said.push(part.content.value);
		else attached.push(documentOf(part));
	}
	const content = said.join("\n");
	if (content.trim() === "" && attached.length === 0) {
		throw new RequestMalformedError("message.parts has nothing to say: send a text part.");
	}
	return { content, ...(attached.length > 0 && { document: attached.join("\n\n") }) };
}

/** A message that a caller may send. */
export function readMessage(given: unknown): Message {
	const message = shapedMessage(given);
	if (!MESSAGE_ID.test(message.messageId)) {
		throw new RequestMalformedError("message.messageId has 1 to 256 printable characters.");
	}
	if (message.role === Role.ROLE_AGENT) {
		throw new RequestMalformedError("message.role: a caller speaks as the user.");
	}
	if (message.parts.length === 0) throw new RequestMalformedError("message.parts is empty.");
	return message;
}

function documentOf({ content, mediaType, filename }: Part): string {
	const title = filename === "" ? "" : `${filename}:\n`;
	switch (content?.$case) {
		case "data":
			return `${title}${JSON.stringify(content.value)}`;
		case "raw":
			return `${title}${textOf(content.value, mediaType)}`;
		case "url":
			// The agent may fetch it, with its own rights; the server never does.
			return `${title}${content.value}`;
		default:
			throw new RequestMalformedError("A part has one of text, raw, url or data.");
	}
}

function textOf(raw: Uint8Array, mediaType: string): string {
	const type = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
	if (!type.startsWith("text/") && type !== "application/json") {
		throw new ContentTypeNotSupportedError(
			`Files of type "${mediaType}" are not supported. Send ${INPUT_MODES.join(", ")}.`,
		);
	}
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(raw);
	} catch {
		throw new ContentTypeNotSupportedError("A file that is sent as text is UTF-8.");
	}
}
