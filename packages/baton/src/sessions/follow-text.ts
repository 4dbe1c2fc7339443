import { plainText } from "../chat/plain-text";
import { recoveryText } from "../chat/recovery-text";
import type { Line } from "./sessions-client";

/** What a person reads of a session's events, piece by piece. */
export class FollowText {
	/** Whether the last piece ended in the middle of a line. */
	#isInLine = false;

	/** The piece that an event adds; empty where there is nothing to read. */
	of(line: Line): string {
		const text = this.#of(line);
		if (text !== "") this.#isInLine = !text.endsWith("\n");
		return plainText(text);
	}

	#of(line: Line): string {
		switch (line.type) {
			case "input_admitted":
				return this.#line(`› ${line.content}`);
			case "message":
				if (line.role !== "assistant") return "";
				return line.delta ? `${line.content}` : `${this.#begin()}${line.content}\n`;
			case "tool_use":
				return this.#line(`  (uses ${line.tool_name})`);
			case "snapshot_request":
			case "execute_request":
				return this.#line("  (waits for a page to answer)");
			case "retract":
				return this.#line("  (takes that back)");
			case "recovered":
				return this.#line(`  (its process was lost; ${recoveryText(line.policy)})`);
			case "reset":
				return this.#line("  (older events are gone)");
			case "result":
				return this.#line(endOf(line));
			default:
				return "";
		}
	}

	#line(text: string): string {
		return `${this.#begin()}${text}\n`;
	}

	#begin(): string {
		return this.#isInLine ? "\n" : "";
	}
}

function endOf({ status, error, notice }: Line): string {
	if (status === "success") return notice ? `  (${notice})` : "  (done)";
	if (status !== "error") return "  (stopped)";
	return `  (failed: ${(error as { message?: string } | undefined)?.message ?? "no reason given"})`;
}
