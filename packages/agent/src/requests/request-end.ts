import { parseEvent, type RelayResponse } from "@baton/protocol";
import type { LogEntry } from "@baton/session";

/** How a request ended, and the seq of the event that says so. */
export type RequestEnd =
	| { readonly kind: "answered"; readonly seq: number; readonly response: RelayResponse }
	| { readonly kind: "closed"; readonly seq: number; readonly reason: string };

/** The end of this request, if this is the event that tells it. */
export function requestEndOf(entry: LogEntry, requestId: string): RequestEnd | null {
	if (!mentions(entry, requestId)) return null;
	const parsed = parseEvent(entry.event);
	if (parsed.kind !== "event") return null;
	const { event } = parsed;
	const { seq } = entry;
	if (event.type === "request_answered" && event.requestId === requestId) {
		return { kind: "answered", seq, response: event.response };
	}
	if (event.type === "request_closed" && event.requestId === requestId) {
		return { kind: "closed", seq, reason: event.reason };
	}
	return null;
}

/** A look at the text first: most events of a log are not about requests, and stay unparsed. */
function mentions(entry: LogEntry, requestId: string): boolean {
	return entry.json.includes('"request_') && entry.json.includes(JSON.stringify(requestId));
}
