import { Chat, useChat } from "@ai-sdk/react";
import { type BrowserTools, useBrowserTools } from "@giselles-ai/browser-tool/react";
import { generateId, lastAssistantMessageIsCompleteWithToolCalls } from "ai";
import {
	type RefObject,
	useCallback,
	useEffect,
	useRef,
	useState,
	useSyncExternalStore,
} from "react";
import type { ChatMessage } from "../../chat/chat-message";
import { markFilled } from "../form/mark-filled";
import { postClaim, postStop } from "../link/api";
import { ChatTransport } from "../link/chat-transport";
import { isConnectionError } from "../link/connection-error";
import { ConversationLink, type LinkState } from "../link/conversation-link";
import { textOf } from "./message-text";
import { hasPendingCall } from "./pending-call";

export interface Conversation {
	messages: ChatMessage[];
	/** A turn runs, here or at the server. */
	isBusy: boolean;
	/** Why the last turn failed; not a lost connection, which is tried again. */
	error: string | null;
	link: LinkState;
	tools: Pick<BrowserTools, "approvals" | "running">;
	send(text: string): void;
	retry(): void;
	stop(): void;
}

interface Options {
	chatId: string;
	/** What the agent may see and touch. */
	form: RefObject<HTMLElement | null>;
}

/** A chat with the page's tools, that lives through reloads and lost connections. */
export function useConversation({ chatId, form }: Options): Conversation {
	const tools = useBrowserTools({
		chatId,
		root: () => form.current,
		claim: ({ toolCallId, signal }) => link.told(postClaim(chatId, toolCallId, signal)),
		onFieldFilled: ({ element }) => markFilled(element),
	});
	const onToolCall = useRef(tools.onToolCall);
	onToolCall.current = tools.onToolCall;
	const [{ chat, link }] = useState(() => create(chatId, (call) => onToolCall.current(call)));
	const { messages, status, error, sendMessage, regenerate, addToolOutput } = useChat({
		chat,
		// The first word at once; what follows in steps that a person can read.
		...(isTelling(chat.messages) && { experimental_throttle: 40 }),
	});
	tools.connect({ messages, status, addToolOutput: addToolOutput as never });
	const linkState = useSyncExternalStore(link.subscribe, link.getState, () => "loading" as const);

	useEffect(() => {
		void link.open();
		return () => link.close();
	}, [link]);

	// Other tabs learn that a turn is over.
	useEffect(() => {
		if (status === "ready") link.tellOthers();
	}, [status, link]);

	const { stop: stopTools } = tools;
	const isOurs = tools.running.length > 0;
	const isWaiting = status === "ready" && hasPendingCall(messages);
	// A call that another tab or browser has taken: what comes of it comes by the stream.
	useEffect(() => {
		if (!isWaiting || isOurs) return;
		const timer = setTimeout(() => void link.follow(), 500);
		return () => clearTimeout(timer);
	}, [isWaiting, isOurs, link]);

	// The turn is over, and with it what it asked for.
	const isOver = isOurs && status === "ready" && !hasPendingCall(messages);
	useEffect(() => {
		if (isOver) stopTools();
	}, [isOver, stopTools]);

	const isReconnecting = status === "error" && isConnectionError(error);
	const isBusy =
		status === "submitted" || status === "streaming" || isReconnecting || isOurs || isWaiting;
	return {
		messages,
		isBusy,
		error: error && !isReconnecting ? wordsOf(error) : null,
		link: linkState,
		tools,
		send: useCallback((text) => void sendMessage({ text }), [sendMessage]),
		retry: useCallback(() => void regenerate({ body: { retryId: generateId() } }), [regenerate]),
		stop: useCallback(() => {
			// The stream then ends by itself, with what was said until then.
			void postStop(chatId)
				.catch(() => {})
				.then(stopTools);
		}, [chatId, stopTools]),
	};
}

function create(chatId: string, onToolCall: (event: { toolCall: never }) => void) {
	const chat = new Chat<ChatMessage>({
		id: chatId,
		generateId,
		transport: new ChatTransport({
			onReach: (reached) => link.reached(reached),
			// Other tabs learn of a turn when it has begun.
			onStep: () => link.tellOthers(),
		}),
		sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
		onToolCall: (event) => onToolCall(event as never),
		onFinish: ({ isDisconnect, isError }) => {
			// After the chat has noted how it ended.
			if (isDisconnect || (isError && isConnectionError(chat.error))) {
				setTimeout(() => void link.follow(), 0);
			}
		},
	});
	const link = new ConversationLink(chat);
	return { chat, link };
}

/** Whether the reply that runs has words already. */
function isTelling(messages: readonly ChatMessage[]): boolean {
	const last = messages.at(-1);
	return last?.role === "assistant" && textOf(last) !== "";
}

/** The server's answers are JSON, its streamed errors are words. */
function wordsOf(error: Error): string {
	try {
		const { message } = JSON.parse(error.message) as { message?: unknown };
		if (typeof message === "string") return message;
	} catch {
		// Words already.
	}
	return error.message;
}
