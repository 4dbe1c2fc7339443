import { EVENTS_LOG, requestEndOf, type SessionLog } from "@baton/agent";
import type { FollowBatch, LogEntry } from "@baton/session";
import { relayRequestSchema } from "../types";

interface LiveRequestsOptions {
	after: number;
	signal: AbortSignal;
	keepaliveMs: number;
	/** Called each time before "quiet"; ends the iteration when it rejects. */
	keepAlive: () => Promise<void>;
}

/**
 * Requests as they are asked, and "quiet" in a steady beat between them. Returns when the signal is
 * aborted, and when the log was cut or changed: what is pending must then be read anew.
 */
export async function* liveRequests(
	sessions: SessionLog,
	sessionId: string,
	{ after, signal, keepaliveMs, keepAlive }: LiveRequestsOptions,
): AsyncGenerator<LogEntry | "quiet", void, undefined> {
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) stop.abort();
	const follow = sessions.follow(sessionId, EVENTS_LOG, { after, signal: stop.signal });
	const batches = follow[Symbol.asyncIterator]();
	let next: Promise<IteratorResult<FollowBatch>> | null = null;
	let beatAt = performance.now() + keepaliveMs;
	try {
		for (;;) {
			next ??= batches.next();
			const result = await within(next, beatAt - performance.now());
			if (result?.done || result?.value.reset) return;
			if (result) {
				next = null;
				yield* openRequestsIn(result.value.entries);
			}
			// By the clock, not by silence: an agent that talks without pause would keep it from coming.
			if (performance.now() < beatAt) continue;
			await keepAlive();
			beatAt = performance.now() + keepaliveMs;
			yield "quiet";
		}
	} finally {
		signal.removeEventListener("abort", onAbort);
		stop.abort();
		await batches.return?.();
	}
}

/** The requests of a batch that did not end within it. */
function openRequestsIn(entries: readonly LogEntry[]): LogEntry[] {
	return entries.filter((entry, i) => {
		if (!entry.json.includes('_request"')) return false;
		const request = relayRequestSchema.safeParse(entry.event);
		if (!request.success) return false;
		const { requestId } = request.data;
		return !entries.slice(i + 1).some((later) => requestEndOf(later, requestId));
	});
}

/** What the promise gives, or null when it has given nothing by then. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<null>((resolve) => {
		timer = setTimeout(() => resolve(null), Math.max(0, ms));
	});
	// It may be rejected while nobody waits for it; the next wait gets that.
	promise.catch(() => {});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
