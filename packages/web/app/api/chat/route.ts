import { giselle } from "@giselles-ai/giselle-provider";
import { consumeStream, convertToModelMessages, streamText } from "ai";
import type { ChatMessage } from "../../../src/chat/chat-message";
import { readChatRequest } from "../../../src/chat/chat-request";
import { endOf } from "../../../src/chat/end-of-turn";
import { explainFailure } from "../../../src/chat/explain-failure";
import { KEEP_ALIVE_MS } from "../../../src/chat/keep-alive";
import { replyId } from "../../../src/chat/message-ids";
import { pageTools } from "../../../src/chat/page-tools";
import { route } from "../../../src/http/route";

/** A message of the person, or the page's answers to what the agent asked of it. */
export const POST = route(async ({ request, owner, host, api }) => {
	const { chatId, messages, key, claimId } = await readChatRequest(request);
	const model = giselle({
		cloudApiUrl: api.url,
		fetch: api.fetch,
		sessions: host.sessions,
		showAgentTools: true,
		onWarning: (warning) => host.log.warn({ chatId }, warning),
	});
	const result = streamText({
		model,
		tools: pageTools,
		messages: await convertToModelMessages(messages, { tools: pageTools }),
		// No signal of the request: a page that goes away stops nothing.
		providerOptions: {
			giselle: {
				chatId: `${owner}/${chatId}`,
				agentSessionId: chatId,
				...(key !== undefined && { idempotencyKey: key }),
				...(claimId !== undefined && { claimId }),
			},
		},
		onError: () => {},
	});
	return result.toUIMessageStreamResponse<ChatMessage>({
		originalMessages: messages,
		generateMessageId: () => replyId(key ?? ""),
		messageMetadata: ({ part }) => endOf(part),
		onError: explainFailure,
		keepAliveMs: KEEP_ALIVE_MS,
		consumeSseStream: consumeStream,
	});
});
