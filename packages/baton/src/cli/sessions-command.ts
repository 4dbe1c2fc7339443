import { resolve } from "node:path";
import type { SessionValue } from "@baton/agent";
import { exportSessions } from "@baton/gateway";
import { isBatonError, type Store } from "@baton/session";
import type { Config } from "../config/config";
import { loadConfig } from "../config/load-config";
import { LOCAL_OWNER } from "../keys/local-key";
import { createLog } from "../log/create-log";
import { Scrubber } from "../log/scrubber";
import { openConfiguredStore } from "../start/open-configured-store";
import { CommandError } from "./command-error";
import { EXIT } from "./exit-codes";
import { type Options, UsageError } from "./options";

type Subcommand = (config: Config, options: Options) => Promise<number>;

/** What can be done with sessions from the command line. */
const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = { export: exportCommand };

export async function sessionsCommand(options: Options, home: string): Promise<number> {
	const [name, ...words] = options.words;
	const subcommand = name === undefined ? undefined : SUBCOMMANDS[name];
	if (!subcommand) {
		const there = Object.keys(SUBCOMMANDS).join(", ");
		throw new UsageError(`baton sessions does one of these: ${there}.`);
	}
	return subcommand(await loadConfig(options.env, home), { ...options, words });
}

/** Writes transcripts of the store as files. */
async function exportCommand(config: Config, { values, words }: Options): Promise<number> {
	if (!values.out) throw new UsageError("baton sessions export needs --out <folder>.");
	const dir = resolve(values.out);
	const owners = values.owner ? [values.owner] : ownersOf(config);
	const store = await openStore(config);
	let written = 0;
	try {
		const sessions = store.collection<SessionValue>("sessions");
		for (const owner of owners) {
			const ownsUnowned = owner === LOCAL_OWNER;
			const exported = exportSessions({ sessions, owner, ownsUnowned, keys: words, dir });
			for await (const { key, messages } of exported) {
				written++;
				process.stdout.write(`${key}  ${messages} messages\n`);
			}
		}
	} finally {
		await store.close();
	}
	process.stdout.write(`${written} conversations in ${dir}\n`);
	if (words.length > written) {
		throw new CommandError(`${words.length - written} of the ${words.length} keys are not there.`);
	}
	return EXIT.ok;
}

function ownersOf({ apiKeys }: Config): string[] {
	return [...new Set([...(apiKeys?.owners ?? []), LOCAL_OWNER])];
}

async function openStore(config: Config): Promise<Store> {
	const log = createLog({ level: config.logLevel, scrubber: new Scrubber(config.secrets) });
	try {
		return await openConfiguredStore(config, log);
	} catch (error) {
		const { cause, message } = error as Error;
		if (!isBatonError(cause, "locked")) throw new CommandError(message, { cause: error });
		throw new CommandError(
			`A running Baton owns ${config.dataDir}. Its conversations are files already, in ${config.dataDir}/sessions: copy them from there.`,
		);
	}
}
