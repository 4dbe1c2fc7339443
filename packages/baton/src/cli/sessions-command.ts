import { loadConfig } from "../config/load-config";
import { openSessions } from "../sessions/open-sessions";
import { type Options, UsageError } from "./options";
import type { SessionCommand } from "./sessions/session-command";

/** What can be done with sessions from the command line. Each is loaded when it is asked for. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<SessionCommand>>> = {
	list: async () => (await import("./sessions/list-command")).listCommand,
	show: async () => (await import("./sessions/show-command")).showCommand,
	follow: async () => (await import("./sessions/follow-command")).followCommand,
	export: async () => (await import("./sessions/export-command")).exportCommand,
	delete: async () => (await import("./sessions/delete-command")).deleteCommand,
};

/** Does it beside a running server through that server, and else on the store itself. */
export async function sessionsCommand(options: Options, home: string): Promise<number> {
	const [name = "", ...words] = options.words;
	const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
	if (!subcommand) {
		const there = Object.keys(SUBCOMMANDS).join(", ");
		throw new UsageError(`baton sessions does one of these: ${there}.`);
	}
	const command = (await subcommand())({ ...options, words });
	const config = await loadConfig(options.env, home);
	const { owner, url } = options.values;
	const sessions = await openSessions(config, { owner, url, ofAll: name === "export" });
	try {
		return await command(sessions);
	} finally {
		await sessions.close();
	}
}
