/*
 * Ids of the page's messages follow from the log, so that a replay has the same ones. The page's own
 * id of what the person said is the turn's idempotency key; saying it again, after a failure, adds
 * the retry's id to it.
 */

const SEPARATOR = ":";

/** The key of a turn: the same message, sent twice, is one turn. */
export function turnKey(messageId: string, retryId: string | undefined): string {
	return retryId === undefined ? messageId : `${messageId}${SEPARATOR}${retryId}`;
}

/** The id of what the person said, from a turn's key. Retries of one message share it. */
export function saidId(key: string): string {
	return key.split(SEPARATOR, 1)[0] ?? key;
}

export function replyId(key: string): string {
	return `reply-${key}`;
}
