import type { Chat } from "@ai-sdk/react";
import type { ChatMessage } from "../../chat/chat-message";
import { hasPendingCall } from "../conversation/pending-call";
import { fetchHistory } from "./api";
import { isConnectionError } from "./connection-error";
import { pause } from "./pause";
import { takeUnsent } from "./unsent-message";

/** `loading`: the conversation is being read. `lost`: the server cannot be reached, and is tried. */
export type LinkState = "loading" | "ready" | "lost" | "back";

/** How long "back" is said. */
const BACK_MS = 2_500;

/**
 * Keeps a chat at what the server has of it: reads it, follows the turn that runs, and after a lost
 * connection begins anew. What a stream replays replaces what was shown, so nothing is shown twice.
 */
export class ConversationLink {
	readonly #chat: Chat<ChatMessage>;
	readonly #listeners = new Set<() => void>();
	/** The other tabs of this chat. */
	#others: BroadcastChannel | null = null;
	#state: LinkState = "loading";
	#following: Promise<void> | null = null;
	#backTimer: ReturnType<typeof setTimeout> | undefined;
	#isClosed = false;

	constructor(chat: Chat<ChatMessage>) {
		this.#chat = chat;
	}

	readonly subscribe = (listener: () => void) => {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	};

	readonly getState = (): LinkState => this.#state;

	/** Reads the conversation, and follows what runs, here and in other tabs. */
	async open(): Promise<void> {
		this.#isClosed = false;
		this.#others ??= this.#listen();
		await this.#read();
	}

	async #read(): Promise<void> {
		for (let attempt = 0; !this.#isClosed; attempt++) {
			try {
				const history = await fetchHistory(this.#chat.id);
				this.reached(true);
				if (this.#chat.status === "ready") this.#chat.messages = history.messages;
				this.#set("ready");
				if (history.isRunning) await this.follow();
				else this.#sendAgain();
				return;
			} catch (error) {
				if (!isConnectionError(error)) throw error;
				this.reached(false);
				await pause(attempt);
			}
		}
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#backTimer);
		this.#others?.close();
		this.#others = null;
	}

	/** Follows the turn that runs until it is over or asks this page. One at a time. */
	follow(): Promise<void> {
		this.#following ??= this.#follow().finally(() => {
			this.#following = null;
		});
		return this.#following;
	}

	/** Tells other tabs of this chat that there is something new in it. */
	tellOthers(): void {
		this.#others?.postMessage("news");
	}

	reached(reached: boolean): void {
		clearTimeout(this.#backTimer);
		if (!reached) this.#set("lost");
		else if (this.#state === "lost" || this.#state === "back") {
			this.#set("back");
			this.#backTimer = setTimeout(() => this.#set("ready"), BACK_MS);
		}
	}

	/** What was asked of the server, which shows whether it can be reached. */
	async told<T>(asked: Promise<T>): Promise<T> {
		try {
			const answer = await asked;
			this.reached(true);
			return answer;
		} catch (error) {
			if (isConnectionError(error)) this.reached(false);
			throw error;
		}
	}

	async #follow(): Promise<void> {
		for (let attempt = 0; !this.#isClosed; attempt++) {
			// Resolves when the stream is over, well or not.
			await this.#chat.resumeStream();
			if (this.#chat.status !== "error" || !isConnectionError(this.#chat.error)) {
				this.reached(true);
				return this.#settle();
			}
			// What was withdrawn is read again at once; a server that is away is waited for.
			if (attempt > 0) this.reached(false);
			await pause(attempt);
		}
	}

	/** After a stream, or when there was none: the server's word on what is over. */
	async #settle(): Promise<void> {
		const history = await fetchHistory(this.#chat.id).catch(() => null);
		if (history && !history.isRunning && this.#chat.status !== "submitted") {
			this.#chat.messages = history.messages;
			this.#sendAgain();
		}
	}

	/** What the server does not have though the person said it: the page was gone too soon. */
	#sendAgain(): void {
		const { status, id, messages } = this.#chat;
		if (status !== "ready") return;
		const unsent = takeUnsent(id);
		const isKnown = messages.some((message) => message.id === unsent?.id);
		if (unsent && !isKnown) void this.#chat.sendMessage(unsent);
	}

	#listen(): BroadcastChannel {
		const others = new BroadcastChannel(`baton:${this.#chat.id}`);
		others.onmessage = () => {
			// A tab that does what the agent asked, or waits for who does it, learns of the rest by that.
			const isIdle = this.#chat.status === "ready" && !hasPendingCall(this.#chat.messages);
			if (isIdle) void this.#read();
		};
		return others;
	}

	#set(state: LinkState): void {
		if (this.#state === state || this.#isClosed) return;
		this.#state = state;
		for (const listener of this.#listeners) listener();
	}
}
