import { DefaultChatTransport } from "ai";
import type { ChatMessage } from "../../chat/chat-message";
import { browserId } from "./browser-id";
import { isConnectionError } from "./connection-error";
import { pause } from "./pause";
import { forgetUnsent, keepUnsent } from "./unsent-message";
import { watchedFetch } from "./watched-fetch";
import { wholeStream } from "./whole-stream";

type Send = DefaultChatTransport<ChatMessage>["sendMessages"];
type Reconnect = DefaultChatTransport<ChatMessage>["reconnectToStream"];

interface TransportListeners {
	/** Whether the server was reached. */
	onReach(reached: boolean): void;
	/** A turn runs, here or followed. */
	onStep(): void;
}

/**
 * How the page talks to its server. A message that may not have arrived is sent again until it has:
 * the server knows it by its id, and an answer of the page by its call, so neither counts twice.
 */
export class ChatTransport extends DefaultChatTransport<ChatMessage> {
	readonly #listeners: TransportListeners;

	constructor(listeners: TransportListeners) {
		super({
			api: "/api/chat",
			fetch: watchedFetch,
			prepareSendMessagesRequest: ({ id, messages, body }) => ({
				body: {
					...body,
					id,
					// The server has the rest.
					messages: messages.slice(messages.findLastIndex(({ role }) => role === "user")),
					claimId: browserId(),
				},
			}),
			prepareReconnectToStreamRequest: ({ id, api }) => ({
				api: `${api}/${id}/stream?claimId=${browserId()}`,
			}),
		});
		this.#listeners = listeners;
	}

	override sendMessages: Send = async (options) => {
		const { chatId, messages, trigger } = options;
		const { onReach, onStep } = this.#listeners;
		const last = messages.at(-1);
		if (trigger === "submit-message" && last?.role === "user") keepUnsent(chatId, last);
		for (let attempt = 0; ; attempt++) {
			try {
				const stream = await super.sendMessages(options);
				onReach(true);
				return wholeStream(stream, { onStep, onReply: () => forgetUnsent(chatId) });
			} catch (error) {
				if (!isConnectionError(error)) forgetUnsent(chatId);
				if (!isConnectionError(error) || options.abortSignal?.aborted) throw error;
				onReach(false);
				await pause(attempt, options.abortSignal);
			}
		}
	};

	override reconnectToStream: Reconnect = async (options) => {
		const stream = await super.reconnectToStream(options);
		const { onReach, onStep } = this.#listeners;
		onReach(true);
		return stream && wholeStream(stream, { onStep });
	};
}
