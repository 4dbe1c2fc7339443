import type { SessionRow } from "@baton/protocol";
import { rowText } from "../../sessions/session-text";
import type { SessionsClient } from "../../sessions/sessions-client";
import { EXIT } from "../exit-codes";
import { UsageError } from "../options";
import { Progress } from "../progress";
import { countOf, explain, printJson, type SessionCommand } from "./session-command";

const SHOWN = 20;
const NARROW = 40;

/** The newest sessions, one a line. */
export const listCommand: SessionCommand = ({ values, switches, words }) => {
	if (words.length > 0) {
		throw new UsageError("baton sessions list takes no words; --search finds some.");
	}
	const limit = switches.has("all")
		? Number.POSITIVE_INFINITY
		: countOf(values.limit, "limit", SHOWN);
	const filter = { q: values.search, state: values.state, door: values.door };
	return ({ client }) => list(client, filter, limit, switches.has("json"));
};

async function list(
	client: SessionsClient,
	filter: Parameters<SessionsClient["list"]>[0],
	limit: number,
	isJson: boolean,
): Promise<number> {
	const rows: SessionRow[] = [];
	const progress = new Progress();
	// One more than is shown tells whether there are more.
	try {
		for await (const row of client.list(filter, limit + 1)) {
			rows.push(row);
			progress.say(`${rows.length} sessions`);
		}
	} catch (error) {
		throw explain(error);
	} finally {
		progress.done();
	}
	const shown = rows.slice(0, limit);
	if (isJson) {
		printJson({ sessions: shown, more: rows.length > shown.length });
		return EXIT.ok;
	}
	const width = process.stdout.isTTY ? Math.max(process.stdout.columns, NARROW) : Infinity;
	for (const row of shown) process.stdout.write(`${rowText(row, width)}\n`);
	if (rows.length > shown.length)
		process.stderr.write("  … and more: --all, or --limit <number>\n");
	if (shown.length === 0) process.stderr.write("  There is none.\n");
	return EXIT.ok;
}
