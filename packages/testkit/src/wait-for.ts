import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
	/** Default 10,000. */
	timeoutMs?: number;
	/** Default 20. */
	everyMs?: number;
	/** What is waited for, for the error message. */
	what?: string;
}

/**
 * Calls `condition` until it gives something truthy, and returns that. A condition that throws is
 * not met yet; after the timeout its last error is the cause.
 */
export async function waitFor<T>(
	condition: () => T | Promise<T>,
	{ timeoutMs = 10_000, everyMs = 20, what = "the condition" }: WaitOptions = {},
): Promise<NonNullable<T>> {
	const deadline = performance.now() + timeoutMs;
	for (;;) {
		let cause: unknown;
		try {
			const value = await condition();
			if (value) return value;
		} catch (error) {
			cause = error;
		}
		if (performance.now() >= deadline) {
			throw new Error(`Waited ${timeoutMs} ms for ${what}.`, { cause });
		}
		await sleep(everyMs);
	}
}
