import { setTimeout as sleep } from "node:timers/promises";
import type { Collection } from "@baton/session";
import type { SessionValue } from "./session-value";
import type { Turns } from "./turns";

/** How long a turn may take to stop before its session is removed all the same. */
const STOP_MS = 3_000;
const LOOK_MS = 25;

/** Stops what runs in a session, then removes it and its logs. */
export async function deleteSession(
	turns: Turns,
	sessions: Collection<SessionValue>,
	sessionId: string,
): Promise<void> {
	const isQuiet = async () => {
		const { settledSeq, last } = await turns.position(sessionId);
		return last <= settledSeq;
	};
	if (!(await isQuiet())) {
		await turns.abort(sessionId, undefined, "The session is being deleted.");
		for (const end = performance.now() + STOP_MS; performance.now() < end; await sleep(LOOK_MS)) {
			if (await isQuiet()) break;
		}
	}
	await sessions.delete(sessionId);
}
