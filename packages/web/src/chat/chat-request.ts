import { validateUIMessages } from "ai";
import * as z from "zod";
import { readJson } from "../http/read-json";
import { invalid } from "../http/web-error";
import type { ChatMessage } from "./chat-message";
import { turnKey } from "./message-ids";
import { pageTools } from "./page-tools";

/** Ids become names in a store and in addresses. */
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "has 1 to 64 of A-Z a-z 0-9 _ -");
/** Of a message from another door, as long as that door lets it be. */
const messageId = z.string().min(1).max(512);
const MAX_MESSAGES = 1_000;
const MAX_TEXT = 100_000;

const bodySchema = z.looseObject({
	id,
	messages: z
		.array(z.looseObject({ id: messageId }))
		.min(1)
		.max(MAX_MESSAGES),
	/** Of the tab that sends: its answers are to requests that it claimed. */
	claimId: id.optional(),
	/** Says the last message again, after a failure. */
	retryId: id.optional(),
});

interface ChatRequest {
	chatId: string;
	/** From what the person said last on. */
	messages: ChatMessage[];
	/** The turn's key: absent when the messages bring answers to a turn that runs. */
	key: string | undefined;
	claimId: string | undefined;
}

export const chatIdSchema = id;

/** What a page posts, checked. */
export async function readChatRequest(request: Request): Promise<ChatRequest> {
	const parsed = bodySchema.safeParse(await readJson(request));
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw invalid(`${issue?.path.join(".") || "The body"}: ${issue?.message}.`);
	}
	const { id: chatId, claimId, retryId, messages: given } = parsed.data;
	const messages = await validateUIMessages<ChatMessage>({
		messages: given.slice(given.findLastIndex(({ role }) => role === "user")),
		tools: pageTools,
	}).catch((error: unknown) => {
		throw invalid(`messages: ${error instanceof Error ? error.message.slice(0, 500) : "invalid"}`);
	});
	const last = messages.at(-1);
	if (messages[0]?.role !== "user") throw invalid("messages: nobody said anything.");
	if (last?.role !== "user") {
		if (!last?.parts.some(isAnswer)) throw invalid("messages: there is nothing new in them.");
		return { chatId, messages, claimId, key: undefined };
	}
	const text = last.parts.reduce(
		(sum, part) => sum + (part.type === "text" ? part.text.length : 0),
		0,
	);
	if (text === 0) throw invalid("messages: the last one has no text.");
	if (text > MAX_TEXT) throw invalid(`messages: the last one is over ${MAX_TEXT} characters.`);
	if (!id.safeParse(last.id).success) throw invalid("messages: the last one's id is not plain.");
	return { chatId, messages: [last], claimId, key: turnKey(last.id, retryId) };
}

function isAnswer(part: ChatMessage["parts"][number]): boolean {
	return (
		part.type.startsWith("tool-") &&
		"state" in part &&
		(part.state === "output-available" || part.state === "output-error")
	);
}
