import { GiselleError } from "./giselle-error";
import type { RelayAnswer } from "./types";
import { withTimeout } from "./with-timeout";

const TIMEOUT_MS = 10_000;

/** The relay did not take an answer. `errorCode` is the wire's. */
export class RelayRefusal extends GiselleError {
	readonly errorCode: string;

	constructor(errorCode: string, message: string) {
		super("relay_refused", message);
		this.errorCode = errorCode;
	}
}

/** `relay.respond`, the default of `deps.sendRelayResponse`. The token goes in the body alone. */
export async function sendRelayResponse(
	fetch: typeof globalThis.fetch,
	{ relayUrl, sessionId, token, response, claimId, resume, signal }: RelayAnswer,
): Promise<void> {
	const how = { ...(claimId !== undefined && { claimId }), ...(resume && { resume }) };
	const answer = await withTimeout(TIMEOUT_MS, signal, async (limit) => {
		const result = await fetch(relayUrl, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ type: "relay.respond", sessionId, token, response, ...how }),
			signal: limit,
		});
		return { ok: result.ok, status: result.status, text: await result.text() };
	});
	if (answer.ok) return;
	throw refusal(answer.status, answer.text);
}

function refusal(status: number, text: string): RelayRefusal {
	try {
		const { errorCode, message } = JSON.parse(text) as Record<string, unknown>;
		if (typeof errorCode === "string") return new RelayRefusal(errorCode, String(message));
	} catch {
		// Not the relay's own words: a proxy's page, for instance.
	}
	return new RelayRefusal(`HTTP_${status}`, `The relay answered ${status}.`);
}
