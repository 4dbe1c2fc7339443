import { isBatonError } from "@baton/session";
import type { MethodContext } from "./types";

/** A label says what a session is about, in one line. */
const LABEL_CHARS = 80;

/** Names a session by the first thing that was said in it, unless it has a name of its own. */
export async function labelByMessage(
	{ sessions, stopping, log }: Pick<MethodContext, "sessions" | "stopping" | "log">,
	sessionKey: string,
	message: string,
): Promise<void> {
	const label = labelOf(message);
	if (label === "") return;
	try {
		await sessions.update(sessionKey, (value) => ({ ...value, label: value.label ?? label }));
	} catch (error) {
		// Somebody may have deleted it already.
		if (stopping.aborted || isBatonError(error, "not_found")) return;
		log.warn({ error, sessionKey }, "A session could not be named by its first message.");
	}
}

function labelOf(message: string): string {
	const line = message.trim().replace(/\s+/g, " ").slice(0, LABEL_CHARS);
	// No half of a character at the cut.
	return line.replace(/[\uD800-\uDBFF]$/, "").trimEnd();
}
