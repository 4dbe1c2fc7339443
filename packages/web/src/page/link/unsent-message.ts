import type { ChatMessage } from "../../chat/chat-message";

/*
 * What the person said last, until the server is known to have it: a page that is reloaded before that
 * says it again. It has the same id then, by which the server knows it, so it never counts twice.
 */

interface Kept {
	message: ChatMessage;
	/** Unix ms. */
	at: number;
}

/** What was said longer ago than this is not said again on its own. */
const KEPT_MS = 10 * 60_000;

const keyOf = (chatId: string) => `baton:unsent:${chatId}`;

export function keepUnsent(chatId: string, message: ChatMessage): void {
	const kept: Kept = { message, at: Date.now() };
	tryStorage((storage) => storage.setItem(keyOf(chatId), JSON.stringify(kept)));
}

export function forgetUnsent(chatId: string): void {
	tryStorage((storage) => storage.removeItem(keyOf(chatId)));
}

/** The message, which is then no longer kept. */
export function takeUnsent(chatId: string): ChatMessage | null {
	const json = tryStorage((storage) => storage.getItem(keyOf(chatId)));
	if (!json) return null;
	forgetUnsent(chatId);
	const { message, at } = JSON.parse(json) as Kept;
	return Date.now() - at < KEPT_MS ? message : null;
}

/** Storage may be forbidden or full: then a reload in that moment costs the message. */
function tryStorage<T>(use: (storage: Storage) => T): T | undefined {
	try {
		return use(sessionStorage);
	} catch {
		return undefined;
	}
}
