import type { LogEvent } from "../console-api";
import type { Mark } from "./marks";

/** What agents say and do; control stays as it was. */
const WITHDRAWN = new Set(["message", "tool_use", "tool_result", "citations", "progress"]);

/** Which events were taken back by a later one: the log keeps them, doors do not show them. */
export class Withdrawals {
	/** By run: everything up to here. */
	readonly #upTo = new Map<string, number>();

	constructor(marks: readonly Mark[]) {
		for (const { type, runId, upTo } of marks) {
			if (type !== "retract" || !runId || upTo === undefined) continue;
			this.#upTo.set(runId, Math.max(upTo, this.#upTo.get(runId) ?? 0));
		}
	}

	has({ type, seq, run_id: runId }: LogEvent): boolean {
		return WITHDRAWN.has(type) && seq <= (this.#upTo.get(runId ?? "") ?? 0);
	}
}
