import { randomUUID } from "node:crypto";
import { readPendingRequests } from "@baton/agent";
import { liveRequests } from "./live-requests";
import { asRelayError } from "./relay-error";
import type { Relay } from "./relay-session";
import type { RelayStore } from "./relay-store";

/*
 * The requests of a session as server-sent events. The id of a request is its seq in the log plus
 * one, on every connection and every process; id 1 is left for `ready`. So "after this id" is "after
 * that place in the log", and a page that reconnects gets what it has not had, if it is still pending.
 */

interface RelayEventsOptions {
	/** The last id that the page has, from an earlier connection. */
	lastEventId: number | null;
	keepaliveMs: number;
	signal: AbortSignal;
}

const READY_ID = 1;

/** Text of the stream, piece by piece, until the signal is aborted or the credentials end. */
export async function* relayEvents(
	store: RelayStore,
	relay: Relay,
	{ lastEventId, keepaliveMs, signal }: RelayEventsOptions,
): AsyncGenerator<string, void, undefined> {
	const { sessions } = store;
	const { agentSessionId, sessionId } = relay;
	const pageId = randomUUID();
	const keepAlive = () => store.markPage(relay, pageId);
	let seen = lastEventId ?? READY_ID;
	let ready = false;
	try {
		await keepAlive();
		yield ": connected\n\n";
		while (!signal.aborted) {
			const { requests, last } = await readPendingRequests(sessions, agentSessionId);
			// An id beyond the log is from a log that is gone: everything pending is new to this page.
			if (seen > last + 1) seen = READY_ID;
			// Under the id that the page has: a smaller one would move its place back.
			if (!ready) yield frame(seen, JSON.stringify({ type: "ready", sessionId }));
			ready = true;
			for (const { seq, event } of requests) {
				if (seq + 1 <= seen) continue;
				seen = seq + 1;
				yield frame(seen, JSON.stringify(event));
			}
			const live = { after: last, signal, keepaliveMs, keepAlive };
			for await (const item of liveRequests(sessions, agentSessionId, live)) {
				if (item !== "quiet") seen = item.seq + 1;
				yield item === "quiet" ? ": keepalive\n\n" : frame(seen, item.json);
			}
		}
	} catch (error) {
		// The session or the credentials are gone: the page finds out why when it connects again.
		if (!asRelayError(error)) throw error;
	} finally {
		await store.unmarkPage(relay, pageId).catch(() => {});
	}
}

function frame(id: number, json: string): string {
	return `id: ${id}\ndata: ${json}\n\n`;
}
