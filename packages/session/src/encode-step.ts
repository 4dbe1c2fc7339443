import type { AppendStep, EncodedRow, OnceKey } from "./driver";
import { BatonError } from "./errors";
import type { Json } from "./json";
import { LIMITS } from "./limits";
import type { AppendOptions, Lease, LeaseOptions, LogRow, RegisterSwap } from "./port";
import {
	checkDuration,
	checkId,
	checkInteger,
	checkName,
	checkText,
	digest,
	encodeJson,
} from "./validate";

/** Checks and encodes everything about an append but its events and its key. */
export function encodeStep(id: string, options: AppendOptions): AppendStep {
	const { lease, swap, ifLast, alarmMs, before, after, takeLease, settle } = options;
	const step: AppendStep = {};
	if (lease) step.lease = leaseOf(id, lease);
	if (swap) step.swap = checkedSwap(swap);
	if (ifLast !== undefined) {
		checkInteger("The last seq", ifLast, 0, Number.MAX_SAFE_INTEGER);
		step.ifLast = ifLast;
	}
	if (alarmMs !== undefined) {
		checkDuration("An alarm", alarmMs);
		step.alarmMs = alarmMs;
	}
	if (before) step.before = before.map(encodeRow);
	if (after) step.after = after.map(encodeRow);
	if (takeLease) {
		checkLeaseOptions(takeLease);
		step.takeLease = { holder: takeLease.holder, ttlMs: takeLease.ttlMs };
	}
	if (settle) {
		if (!lease || ifLast === undefined || takeLease || alarmMs !== undefined) {
			throw new BatonError(
				"invalid",
				"To settle needs a lease and the last seq, and takes neither lease nor alarm.",
			);
		}
		checkDuration("An alarm", settle.alarmMs);
		step.settle = {
			version: settle.version,
			json: encodeRecord(settle.value),
			alarmMs: settle.alarmMs,
		};
	}
	return step;
}

export function encodeOnce(once: { key: string; body?: Json }, events: Json): OnceKey {
	checkText("idempotency key", once.key);
	return { key: once.key, digest: digest(once.body ?? events) };
}

export function encodeRecord(value: unknown): string {
	if (value === null || typeof value !== "object" || Array.isArray(value)) {
		throw new BatonError("invalid", "A record's value must be a JSON object.");
	}
	return encodeJson("A record", value, LIMITS.recordBytes);
}

export function checkLease(lease: Lease): void {
	checkId(lease.id);
	checkInteger("A fencing token", lease.token, 1, Number.MAX_SAFE_INTEGER);
}

export function checkLeaseOptions({ holder, ttlMs }: LeaseOptions): void {
	checkText("holder", holder);
	checkDuration("A lease", ttlMs);
}

function leaseOf(id: string, lease: Lease): Lease {
	checkLease(lease);
	if (lease.id === id) return lease;
	throw new BatonError("invalid", `The lease is of session "${lease.id}", not of "${id}".`);
}

function checkedSwap(swap: RegisterSwap): RegisterSwap {
	checkName("register", swap.register);
	if (swap.from !== null) checkText("register value", swap.from);
	if (swap.to !== null) checkText("register value", swap.to);
	return swap;
}

function encodeRow({ log, event, once }: LogRow): EncodedRow {
	checkName("log", log);
	const line = encodeJson("An event", event, LIMITS.eventBytes);
	return { log, line, once: encodeOnce(once, [event]) };
}
