import { resolve } from "node:path";
import type { SessionValue } from "@baton/agent";
import { exportSessions, FileSessions, type SessionMeta } from "@baton/gateway";
import { LOCAL_OWNER } from "../../keys/local-key";
import type { OpenedSessions } from "../../sessions/open-sessions";
import type { SessionsClient } from "../../sessions/sessions-client";
import { CommandError } from "../command-error";
import { EXIT } from "../exit-codes";
import { UsageError } from "../options";
import { Progress } from "../progress";
import { explain, printJson, type SessionCommand } from "./session-command";

/** Writes conversations as the seed's files. */
export const exportCommand: SessionCommand = ({ values, switches, words }) => {
	if (!values.out) throw new UsageError("baton sessions export needs --out <folder>.");
	const dir = resolve(values.out);
	return (opened) => exportTo(dir, opened, words, switches.has("json"));
};

async function exportTo(
	dir: string,
	opened: OpenedSessions,
	words: readonly string[],
	isJson: boolean,
): Promise<number> {
	const progress = new Progress();
	const exported: { key: string; messages: number }[] = [];
	for await (const { key, messages } of written(opened, words, dir)) {
		exported.push({ key, messages });
		if (isJson) progress.say(`${exported.length} conversations`);
		else process.stdout.write(`${key}  ${messages} messages\n`);
	}
	progress.done();
	if (isJson) printJson({ dir, exported });
	else process.stdout.write(`${exported.length} conversations in ${dir}\n`);
	const missing = words.length - exported.length;
	if (missing <= 0) return EXIT.ok;
	const message = `${missing} of the ${words.length} sessions are not there.`;
	throw new CommandError(message, { exitCode: EXIT.notFound });
}

function written(
	{ client, store, owners }: OpenedSessions,
	keys: readonly string[],
	dir: string,
): AsyncGenerator<{ key: string; messages: number }> {
	if (!store) return fromServer(client, keys, dir);
	const sessions = store.collection<SessionValue>("sessions");
	return (async function* () {
		for (const owner of owners) {
			const ownsUnowned = owner === LOCAL_OWNER;
			yield* exportSessions({ sessions, owner, ownsUnowned, keys, dir });
		}
	})();
}

/** Through the server, a conversation at a time. */
async function* fromServer(
	client: SessionsClient,
	keys: readonly string[],
	dir: string,
): AsyncGenerator<{ key: string; messages: number }> {
	const files = new FileSessions(dir);
	for await (const meta of metasOf(client, keys)) {
		const pages: string[][] = [];
		for await (const page of client.pages(meta.key)) {
			pages.unshift(page.map((row) => JSON.stringify(row)));
		}
		await files.write(meta, lines(pages));
		yield { key: meta.key, messages: pages.reduce((sum, page) => sum + page.length, 0) };
	}
}

async function* lines(pages: readonly string[][]): AsyncGenerator<readonly string[]> {
	yield* pages;
}

async function* metasOf(
	client: SessionsClient,
	keys: readonly string[],
): AsyncGenerator<SessionMeta> {
	if (keys.length === 0) {
		for await (const row of client.list({}, Number.POSITIVE_INFINITY)) yield metaOf(row);
		return;
	}
	for (const key of keys) {
		const found = await client.get(key).catch((error: unknown) => {
			const known = explain(error, key);
			if (known.exitCode !== EXIT.notFound) throw known;
			return null;
		});
		if (found) yield metaOf(found);
	}
}

function metaOf(row: {
	id: string;
	agent: string;
	door: string;
	created_at: number;
	updated_at: number;
	label?: string;
}): SessionMeta {
	const { id: key, agent: agentId, door, created_at: createdAt, updated_at: updatedAt } = row;
	return {
		key,
		agentId,
		createdAt,
		updatedAt,
		...(row.label && { label: row.label }),
		...(door && { door }),
	};
}
