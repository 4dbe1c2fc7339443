import { createInterface } from "node:readline/promises";
import { type SessionsClient, SessionsError } from "../../sessions/sessions-client";
import { CommandError } from "../command-error";
import { EXIT } from "../exit-codes";
import { UsageError } from "../options";
import { whileWaiting } from "../progress";
import { explain, printJson, type SessionCommand } from "./session-command";

/** Removes sessions for good, with what runs in them. */
export const deleteCommand: SessionCommand = ({ words: ids, switches }) => {
	if (ids.length === 0) throw new UsageError("baton sessions delete takes the ids of sessions.");
	if (!switches.has("yes") && !process.stdin.isTTY) {
		throw new UsageError("say --yes: what is deleted cannot be had back.");
	}
	return async ({ client }) => {
		if (!switches.has("yes")) await confirm(ids.length);
		return remove(client, ids, switches.has("json"));
	};
};

async function remove(
	client: SessionsClient,
	ids: readonly string[],
	isJson: boolean,
): Promise<number> {
	const deleted: string[] = [];
	const absent: string[] = [];
	for (const id of ids) {
		try {
			await whileWaiting("stopping what runs, and deleting", client.delete(id));
			deleted.push(id);
			if (!isJson) process.stdout.write(`${id}  deleted\n`);
		} catch (error) {
			if (!(error instanceof SessionsError) || error.status !== 404) throw explain(error, id);
			absent.push(id);
		}
	}
	if (isJson) printJson({ deleted, absent });
	if (absent.length === 0) return EXIT.ok;
	const message = `There is no session of yours with the id ${absent.join(", ")}.`;
	throw new CommandError(message, { exitCode: EXIT.notFound });
}

/** A script has said that it means it; a person is asked. */
async function confirm(count: number): Promise<void> {
	const lines = createInterface({ input: process.stdin, output: process.stderr });
	const what = count === 1 ? "this session" : `these ${count} sessions`;
	const answer = await lines.question(`  Delete ${what} for good? [y/N] `);
	lines.close();
	if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("Nothing was deleted.");
}
