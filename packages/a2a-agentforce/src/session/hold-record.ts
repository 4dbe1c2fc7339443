import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type Collection, isBatonError, type JsonObject, type Lease } from "@baton/session";
import { isHeld, noMapping } from "./mapping-errors";
import type { Hold } from "./store";

/** A holder whose process is gone is out of the way after this. */
const LEASE_MS = 5_000;
const RENEW_MS = 1_500;
/** Agentforce itself gives up after 120 s, so whoever holds it then is late. */
const WAIT_MS = 130_000;

/** Takes the lease of a record of the session core, and keeps it until it is released. */
export async function holdRecord<V extends JsonObject>(
	collection: Collection<V>,
	id: string,
	contextId: string,
	signal: AbortSignal,
): Promise<Hold> {
	const lease = await takeWhenFree(collection, id, contextId, signal);
	const lost = new AbortController();
	let validUntil = performance.now() + LEASE_MS;
	const renew = async () => {
		const asked = performance.now();
		try {
			await collection.renewLease(lease);
			validUntil = asked + LEASE_MS;
		} catch (error) {
			const isOver = isBatonError(error, "lease_lost") || isBatonError(error, "not_found");
			if (isOver || performance.now() >= validUntil) lost.abort(error);
		}
	};
	const timer = setInterval(renew, RENEW_MS);
	timer.unref();
	return {
		lost: lost.signal,
		async release() {
			clearInterval(timer);
			// One that cannot be given back runs out by itself.
			await collection.releaseLease(lease).catch(() => {});
		},
	};
}

async function takeWhenFree<V extends JsonObject>(
	collection: Collection<V>,
	id: string,
	contextId: string,
	signal: AbortSignal,
): Promise<Lease> {
	const options = { holder: `${hostname()}/${process.pid} agentforce`, ttlMs: LEASE_MS };
	const deadline = performance.now() + WAIT_MS;
	for (let delayMs = 20; ; delayMs = Math.min(delayMs * 2, 500)) {
		signal.throwIfAborted();
		const lease = await collection.takeLease(id, options).catch((error: unknown) => {
			throw isBatonError(error, "not_found") ? noMapping(contextId) : error;
		});
		if (lease) return lease;
		if (performance.now() > deadline) throw isHeld(contextId);
		await pause(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
	}
}
