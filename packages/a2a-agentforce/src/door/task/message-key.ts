/*
 * How a message of A2A is known in the log. The idempotency key of a turn is kept in its
 * `input_admitted`, so the key tells which message it was and which task it continues, and a task is
 * a function of the log alone.
 *
 *   a2a:<messageId>                  the first message of a task, which is named after its run
 *   a2a-reply:<taskId>:<messageId>   a later message of that task
 */

const FIRST = /^a2a:(.+)$/s;
const REPLY = /^a2a-reply:([^:]+):(.+)$/s;

/** A message's id goes into a key and into records, so it is bounded and printable. */
export const MESSAGE_ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;

export function firstMessageKey(messageId: string): string {
	return `a2a:${messageId}`;
}

export function replyKey(taskId: string, messageId: string): string {
	return `a2a-reply:${taskId}:${messageId}`;
}

interface MessageKey {
	messageId: string;
	/** Set when the message continues a task. */
	taskId?: string;
}

/** Null for the input of another door. */
export function parseMessageKey(key: string | undefined): MessageKey | null {
	if (key === undefined) return null;
	const first = FIRST.exec(key);
	if (first?.[1]) return { messageId: first[1] };
	const reply = REPLY.exec(key);
	if (reply?.[1] && reply[2]) return { taskId: reply[1], messageId: reply[2] };
	return null;
}
