import type { OwnOptions } from "./options";

const SHARED = { switches: ["json"], values: ["owner", "url"] };

/** What each command about sessions has beyond those that all of them share. */
const OWN: Readonly<Record<string, OwnOptions>> = {
	list: { switches: ["all"], values: ["limit", "search", "state", "door"] },
	show: { values: ["limit"] },
	follow: { switches: ["once"], values: ["after"] },
	export: { values: ["out"] },
	delete: { switches: ["yes"] },
};

/** The options of one command about sessions; without its name, those of any: to find the name. */
export function sessionsOptions(command?: string): OwnOptions {
	const isNamed = command !== undefined && Object.hasOwn(OWN, command);
	const own = isNamed ? [OWN[command] as OwnOptions] : Object.values(OWN);
	return {
		switches: [...SHARED.switches, ...own.flatMap(({ switches = [] }) => switches)],
		values: [...SHARED.values, ...own.flatMap(({ values = [] }) => values)],
		// The name itself is a word.
		words: true,
	};
}

const COMMON = `  --json               for scripts
  --owner <name>       whose; default: the only owner there is
  --url <address>      of a server elsewhere, http://…; its key is that of BATON_API_KEYS
  --data-dir, --config as for baton start

Beside a running server it asks that server, else it opens the data folder, or Redis, itself.
`;

const ALL = `baton sessions: conversations, of every door.

  baton sessions list                  the newest, one a line, with the ids for the others
  baton sessions show <id>             where one stands, and what was said last
  baton sessions follow <id>           what happens in it, as it happens
  baton sessions export --out <folder> as files
  baton sessions delete <id> …         for good

${COMMON}
baton sessions <command> --help says more.
`;

const HELP: Readonly<Record<string, string>> = {
	list: `baton sessions list: the newest conversations, one a line.

  baton sessions list --state running
  baton sessions list --search "order 66" --json

  --limit <number>     how many; default 20
  --all                all of them
  --search <words>     in names and in what was said last
  --state <state>      running, waiting, done, failed, stopped, new
  --door <door>        web (the page), gateway, a2a, agent-api
${COMMON}`,
	show: `baton sessions show <id>: where a conversation stands, and what was said last.

  baton sessions show 4f0c… --limit 100

  --limit <number>     messages; default 20
${COMMON}`,
	follow: `baton sessions follow <id>: every event of a conversation, once, in order, as it comes.

  baton sessions follow 4f0c… --json | jq .type

It begins with the turn that runs, and goes on when the server is restarted. Ctrl-C leaves; nothing
is stopped by it.

  --after <seq>        begin after this event; 0: with the first that is kept
  --once               leave when nothing runs any more
${COMMON}`,
	export: `baton sessions export: writes conversations as files, <key>.meta.json and <key>.jsonl.

  baton sessions export --out <folder> [<id> …]

  --out <folder>       where to; made when missing
${COMMON}Without a server and without --owner: those of every owner that is configured.
`,
	delete: `baton sessions delete <id> …: removes conversations for good, with what runs in them.

  baton sessions delete 4f0c… --yes

  --yes                do not ask
${COMMON}`,
};

export function sessionsHelp(command: string | undefined): string {
	return command !== undefined && Object.hasOwn(HELP, command) ? (HELP[command] as string) : ALL;
}

/** What to type for the help of the command among these arguments. */
export function sessionsHelpFor(args: readonly string[]): string {
	const command = args.find((word) => Object.hasOwn(HELP, word));
	return command === undefined ? "baton sessions --help" : `baton sessions ${command} --help`;
}
