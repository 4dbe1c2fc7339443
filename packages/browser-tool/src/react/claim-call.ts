import type { ToolCall } from "./tool-call";

/**
 * What the server says to a page that wants to run a call: `run`, it is this page's now; `taken`, some
 * other page has it or it is over; `unknown`, a page had it that is gone, so nobody knows what it did.
 */
export type ClaimAnswer = "run" | "taken" | "unknown";

export interface ClaimRequest extends ToolCall {
	chatId: string;
	/** The same for the same call through reloads of this page, so asking again is no second claim. */
	claimId: string;
	signal: AbortSignal;
}

export type Claim = (request: ClaimRequest) => Promise<ClaimAnswer>;

/** Waits between attempts to reach the server, in milliseconds. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000];

/** Asks the server until it answers: a connection is often away for a moment only. */
export async function claimCall(claim: Claim, request: ClaimRequest): Promise<ClaimAnswer> {
	for (const pause of PAUSES) {
		try {
			return await claim(request);
		} catch (error) {
			if (request.signal.aborted) throw error;
			await wait(pause, request.signal);
		}
	}
	return claim(request);
}

export function wait(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal.reason);
		};
		const timer = setTimeout(() => {
			signal.removeEventListener("abort", stop);
			resolve();
		}, ms);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
	});
}
