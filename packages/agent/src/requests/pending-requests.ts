import { parseEvent } from "@baton/protocol";
import type { LogEntry } from "@baton/session";
import type { RequestEvent } from "./open-request";
import {
	decodeStanding,
	isRequestRegister,
	type RequestStanding,
	requestRegister,
} from "./request-register";
import { EVENTS_LOG, type SessionLog } from "./session-log";

const PAGE = 100;

export interface PendingRequest {
	readonly requestId: string;
	/** The seq of the request's event. */
	readonly seq: number;
	readonly event: RequestEvent;
	/** Who claimed it; null while it is open to everyone. */
	readonly claimId: string | null;
}

export interface PendingRequests {
	/** The log's last seq at that moment: whoever follows after it misses no later request. */
	readonly last: number;
	/** In the order in which they were asked. */
	readonly requests: PendingRequest[];
}

/** The requests that are neither answered nor closed. */
export async function pendingRequests(
	sessions: SessionLog,
	sessionId: string,
): Promise<PendingRequest[]> {
	return (await readPendingRequests(sessions, sessionId)).requests;
}

export async function readPendingRequests(
	sessions: SessionLog,
	sessionId: string,
): Promise<PendingRequests> {
	const { registers, last } = await sessions.state(sessionId, EVENTS_LOG);
	const missing = new Map<string, RequestStanding>();
	for (const [register, value] of Object.entries(registers)) {
		if (isRequestRegister(register)) missing.set(register, decodeStanding(value));
	}
	const requests: PendingRequest[] = [];
	// Each floor is right before its event unless others wrote at that moment, so this reads little.
	const floors = Array.from(missing.values(), ({ floor }) => floor).sort((a, b) => a - b);
	let cursor = 0;
	for (const floor of floors) {
		cursor = Math.max(cursor, floor);
		while (missing.size > 0 && [...missing.values()].some((one) => one.floor <= floor)) {
			const slice = await sessions.read(sessionId, EVENTS_LOG, { after: cursor, limit: PAGE });
			for (const entry of slice.entries) {
				const found = pendingIn(entry, missing);
				if (found) requests.push(found);
			}
			cursor = slice.entries.at(-1)?.seq ?? last;
			if (cursor >= last) break;
		}
	}
	return { last, requests: requests.sort((a, b) => a.seq - b.seq) };
}

function pendingIn(entry: LogEntry, missing: Map<string, RequestStanding>): PendingRequest | null {
	if (!entry.json.includes('_request"')) return null;
	const parsed = parseEvent(entry.event);
	if (parsed.kind !== "event") return null;
	const { event } = parsed;
	if (event.type !== "snapshot_request" && event.type !== "execute_request") return null;
	const { requestId } = event;
	const register = requestRegister(requestId);
	const standing = missing.get(register);
	if (!standing) return null;
	missing.delete(register);
	return { requestId, seq: entry.seq, event, claimId: standing.claimId };
}
