import { expect } from "vitest";
import type { ErrorCode } from "../errors";
import type { Json } from "../json";
import type { LogEntry } from "../log-entry";
import type { Collection, FollowOptions, LogSlice, Reset } from "../port";

/** Events of a slice as plain `[seq, event]` pairs. */
export function pairs(slice: Pick<LogSlice, "entries">): [number, Json][] {
	return slice.entries.map((entry: LogEntry) => [entry.seq, entry.event]);
}

/** Follows until `count` events arrived, and says what was seen, resets included. */
export async function followUntil(
	collection: Collection,
	id: string,
	log: string,
	count: number,
	options: FollowOptions = {},
): Promise<{ seen: [number, Json][]; resets: Reset[] }> {
	const seen: [number, Json][] = [];
	const resets: Reset[] = [];
	for await (const { entries, reset } of collection.follow(id, log, options)) {
		if (reset) resets.push(reset);
		seen.push(...pairs({ entries }));
		if (seen.length >= count) break;
	}
	return { seen, resets };
}

/** Waits for a condition, by polling, for at most ten seconds. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
	const deadline = performance.now() + 10_000;
	while (!(await condition())) {
		if (performance.now() > deadline) throw new Error("The condition did not come true in 10 s.");
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

/** Expects a rejection with this code of the core. */
export async function expectError(action: Promise<unknown>, code: ErrorCode): Promise<void> {
	await expect(action).rejects.toMatchObject({ name: "BatonError", code });
}
