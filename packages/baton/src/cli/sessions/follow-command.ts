import { setTimeout as sleep } from "node:timers/promises";
import { FollowText } from "../../sessions/follow-text";
import type { OpenedSessions } from "../../sessions/open-sessions";
import { type Line, SessionsError } from "../../sessions/sessions-client";
import { EXIT } from "../exit-codes";
import { countOf, explain, oneId, type SessionCommand } from "./session-command";

/** The pauses before a lost server is tried again. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [200, 5_000];

/**
 * Every event of a session as it comes: once, in order, whatever becomes of the server. It ends with
 * Ctrl-C, with its session, or, when asked to, where nothing runs any more.
 */
export const followCommand: SessionCommand = (options) => {
	const id = oneId(options, "follow");
	const { values, switches } = options;
	const after = values.after === undefined ? undefined : countOf(values.after, "after", 0);
	const how = { after, once: switches.has("once"), isJson: switches.has("json") };
	return (sessions) => follow(sessions, id, how);
};

async function follow(
	{ client, server, isAlone }: OpenedSessions,
	id: string,
	{ after, once, isJson }: { after: number | undefined; once: boolean; isJson: boolean },
): Promise<number> {
	const { settled, last } = await client.get(id).catch((error: unknown) => {
		throw explain(error, id);
	});
	const shownAfter = after ?? settled;
	const print = printer(isJson);
	const open = new Set<unknown>();
	// From where every turn had ended, to know which are open.
	let cursor = Math.min(shownAfter, settled);
	const isOver = () => cursor >= last && (isAlone || (once && open.size === 0));
	if (isAlone) process.stderr.write("  No server runs here: nothing new will come.\n");
	if (last <= cursor) process.stderr.write(`  ${nothingToShow(id, isOver())}\n`);
	const stop = new AbortController();
	process.once("SIGINT", () => stop.abort());
	for (let pause = FIRST_PAUSE_MS; !stop.signal.aborted && !isOver(); ) {
		try {
			for await (const line of client.follow(id, cursor, stop.signal)) {
				if (line.type === "gone") throw new SessionsError(404, "It was removed.");
				cursor = line.seq ?? (line.type === "reset" ? Number(line.first) - 1 : cursor);
				if (line.seq === undefined || line.seq > shownAfter) print(line);
				if (line.type === "input_admitted") open.add(line.run_id);
				if (line.type === "result") open.delete(line.run_id);
				pause = FIRST_PAUSE_MS;
				if (isOver()) return EXIT.ok;
			}
		} catch (error) {
			if (stop.signal.aborted) break;
			const isGone = error instanceof SessionsError && error.status === 404;
			if (isGone || server === null) throw explain(error, id);
		}
		await sleep(pause, undefined, { signal: stop.signal }).catch(() => {});
		pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
	}
	return EXIT.ok;
}

/** Silence would not say whether it is over, or has not begun. */
function nothingToShow(id: string, leaves: boolean): string {
	return leaves
		? `Nothing runs in this session. What was said: baton sessions show ${id}. Its events: --after 0.`
		: "Nothing runs in this session now; what comes is shown here. Ctrl-C leaves.";
}

function printer(isJson: boolean): (line: Line) => void {
	const text = new FollowText();
	return (line) => {
		process.stdout.write(isJson ? `${JSON.stringify(line)}\n` : text.of(line));
	};
}
