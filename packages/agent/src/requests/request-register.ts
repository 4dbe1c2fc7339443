import { createHash } from "node:crypto";
import { RequestError } from "./request-error";

/*
 * A request that is not over has a register in its session, and every step of its life is a swap of
 * that register together with the event that tells of it. So on every store, of two pages that claim
 * one wins, of two answers one is taken, and a request that expired is not answered as well.
 *
 *   (none) → open:<kind>:<floor>:<run> → claimed:<kind>:<floor>:<claim>:<run> → (none)
 *
 * `floor` is a seq before that of the request's event: where to start looking for it. The event's own
 * seq cannot be told in the swap that appends it.
 */

const PREFIX = "req-";
const CLAIM_ID = /^[A-Za-z0-9_-]{1,128}$/;
const VALUE = /^(?:open:(\w+):(\d+)|claimed:(\w+):(\d+):([A-Za-z0-9_-]+)):(.*)$/s;
/** As in the limit of ids in an event: enough for any UUID with a prefix. */
const MAX_REQUEST_ID = 256;

export type RequestKind = "snapshot" | "execute";

export interface RequestStanding {
	readonly kind: RequestKind;
	readonly floor: number;
	readonly runId: string | null;
	/** Who claimed it; null while it is open to everyone. */
	readonly claimId: string | null;
}

/** The register's name. An id is any text, and becomes a name by its hash. */
export function requestRegister(requestId: string): string {
	if (requestId === "" || requestId.length > MAX_REQUEST_ID) {
		throw new RequestError(
			"invalid",
			`A request id has 1 to ${MAX_REQUEST_ID} characters, not ${requestId.length}.`,
		);
	}
	return PREFIX + createHash("sha256").update(requestId).digest("hex").slice(0, 24);
}

/** Whether a register of a session is that of a request that is not over. */
export function isRequestRegister(register: string): boolean {
	return register.startsWith(PREFIX);
}

export function encodeStanding({ kind, floor, runId, claimId }: RequestStanding): string {
	if (claimId === null) return `open:${kind}:${floor}:${runId ?? ""}`;
	return `claimed:${kind}:${floor}:${claimId}:${runId ?? ""}`;
}

export function decodeStanding(value: string): RequestStanding {
	const match = VALUE.exec(value);
	if (!match) throw new Error(`The register of a request holds ${JSON.stringify(value)}.`);
	const [, openKind, openFloor, claimedKind, claimedFloor, claimId, runId] = match;
	return {
		kind: (openKind ?? claimedKind) as RequestKind,
		floor: Number(openFloor ?? claimedFloor),
		claimId: claimId ?? null,
		runId: runId || null,
	};
}

/** Claim ids stand inside a register's value, so they are held to a set that is safe there. */
export function checkClaimId(claimId: string): void {
	if (CLAIM_ID.test(claimId)) return;
	throw new RequestError(
		"invalid",
		"A claim id has 1 to 128 of the characters A-Z a-z 0-9 _ -, a UUID for instance.",
	);
}
