import { setTimeout as sleep } from "node:timers/promises";
import { isTimeout, withinTime } from "@baton/session";
import * as z from "zod";
import {
	type RelayRequest,
	type RelayResponse,
	relayErrorBodySchema,
	relayResponseSchema,
} from "../types";
import type { RelaySettings } from "./relay-settings";

/** The relay did not bring an answer: its own code, or UNREACHABLE. */
export class RelayCallError extends Error {
	override readonly name = "RelayCallError";
	readonly code: string;

	constructor(code: string, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.code = code;
	}
}

/** Asks a page and waits for it. */
export type Dispatch = (request: RelayRequest, signal?: AbortSignal) => Promise<RelayResponse>;

const answerSchema = z.looseObject({ ok: z.literal(true), response: relayResponseSchema });
/** Past the page's own time, so that it is the relay that says TIMEOUT. */
const GRACE_MS = 10_000;
/** How long a relay that is away is tried: a server that is restarted is back by then. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;

/**
 * `relay.dispatch` over HTTP. A request whose connection broke is sent again under the same id, which
 * the relay knows: the page is asked once, and the answer that came in between is not lost.
 */
export function createDispatch(settings: RelaySettings): Dispatch {
	return async (request, signal) => {
		const deadline = performance.now() + settings.timeoutMs;
		let awaySince: number | null = null;
		for (let pause = PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
			const leftMs = Math.max(1, Math.ceil(deadline - performance.now()));
			const sentAt = performance.now();
			try {
				return await dispatchOnce(settings, request, leftMs, signal);
			} catch (error) {
				if (!(error instanceof RelayCallError) || error.code !== "UNREACHABLE") throw error;
				// A call that was held for long and then broke had a relay behind it until then.
				if (awaySince === null || performance.now() - sentAt > PATIENCE_MS) {
					awaySince = performance.now();
				}
				const now = performance.now();
				if (now > deadline || now - awaySince > PATIENCE_MS) throw error;
			}
			await sleep(pause, undefined, { ...(signal && { signal }) });
		}
	};
}

async function dispatchOnce(
	{ url, sessionId, token }: RelaySettings,
	request: RelayRequest,
	timeoutMs: number,
	signal: AbortSignal | undefined,
): Promise<RelayResponse> {
	let status: number;
	let body: unknown;
	try {
		[status, body] = await withinTime(timeoutMs + GRACE_MS, signal, async (inTime) => {
			const response = await fetch(url, {
				method: "POST",
				headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
				body: JSON.stringify({ type: "relay.dispatch", sessionId, request, timeoutMs }),
				signal: inTime,
			});
			return [response.status, await response.json().catch(() => null)];
		});
	} catch (cause) {
		if (signal?.aborted) throw new RelayCallError("ABORTED", "The call was given up.", { cause });
		if (isTimeout(cause)) throw new RelayCallError("TIMEOUT", "The relay did not answer in time.");
		throw unreachable("The relay cannot be reached.", cause);
	}
	const answer = answerSchema.safeParse(body);
	if (answer.success) return answer.data.response;
	const refusal = relayErrorBodySchema.safeParse(body);
	if (!refusal.success || refusal.data.errorCode === "INTERNAL") {
		throw unreachable(`The relay answered with status ${status} and nothing to go by.`);
	}
	throw new RelayCallError(refusal.data.errorCode, refusal.data.message);
}

function unreachable(message: string, cause?: unknown): RelayCallError {
	return new RelayCallError("UNREACHABLE", message, { cause });
}
