/*
 * Ids of the page's messages follow from the log, so that a replay has the same ones. The page's own
 * id of what the person said is the turn's idempotency key; saying it again, after a failure, adds
 * the retry's id to it. A turn from elsewhere has a key of another form, or its run's id for one: what
 * was said there has that for its id.
 */

const RETRY = "#retry:";
const SAID_AGAIN = /^([A-Za-z0-9_-]{1,64})#retry:[A-Za-z0-9_-]{1,64}$/;

/** The key of a turn: the same message, sent twice, is one turn. */
export function turnKey(messageId: string, retryId: string | undefined): string {
	return retryId === undefined ? messageId : `${messageId}${RETRY}${retryId}`;
}

/** The id of what the person said, from a turn's key. Retries of one message share it. */
export function saidId(key: string): string {
	return SAID_AGAIN.exec(key)?.[1] ?? key;
}

export function replyId(key: string): string {
	return `reply-${key}`;
}
