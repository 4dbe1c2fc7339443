import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "./baton";
import { type Line, linesOf } from "./turn";

/** How long a client goes on trying before it counts its turn as lost. */
export const PATIENCE_MS = 30_000;

/**
 * Does what a client should: sends a message under a key until it is taken, and when the answer is
 * cut, attaches after the last event that it has, wherever an instance answers. Returns every line
 * that stands in the log, in the order in which it came.
 */
export async function faithfulTurn(
	pick: () => Server,
	turn: { session_id: string; message: string; idempotency_key: string },
	patienceMs = PATIENCE_MS,
): Promise<Line[]> {
	const lines: Line[] = [];
	const deadline = performance.now() + patienceMs;
	while (performance.now() < deadline) {
		const after = lines.at(-1)?.seq;
		const body =
			after === undefined
				? { type: "agent.run", ...turn }
				: { type: "agent.run", session_id: turn.session_id, attach: true, after };
		try {
			const answer = await pick().call("run", body);
			if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
			for await (const line of linesOf(answer)) {
				if (line.seq !== undefined && !line.repeated) lines.push(line);
				if (line.type === "result") return lines;
			}
		} catch {
			// Refused, cut, or stopping: another instance, or the same a little later.
		}
		await sleep(50);
	}
	throw new Error(`A turn of ${turn.session_id} had no end: ${JSON.stringify(lines.at(-1))}`);
}
