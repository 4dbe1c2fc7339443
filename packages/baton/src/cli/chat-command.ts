import {
	type ConnectionState,
	connectGateway,
	type GatewayClient,
	GatewayError,
} from "@baton/gateway/client";
import { ChatTerminal } from "../chat/chat-terminal";
import { findGateway } from "../chat/find-gateway";
import { loadConfig } from "../config/load-config";
import { CommandError } from "./command-error";
import { EXIT } from "./exit-codes";
import type { Options } from "./options";

/** A session of somebody else, or of nobody; and a key that cannot be one. */
const SAYS_NOT_THERE = new Set(["not_found", "invalid_params"]);
/** How long a server may take to answer at all. */
const CONNECT_MS = 5_000;

/** A chat at the terminal, with the gateway of this machine or another. */
export async function chatCommand(options: Options, home: string): Promise<number> {
	const config = await loadConfig(options.env, home);
	const { url, token } = await findGateway(config);
	const address = options.values.url ?? url;
	if (token === null) {
		throw new CommandError(
			"There is no token for the gateway: set PROJ_JARVIS_TOKEN, or start Baton here once.",
		);
	}
	let terminal: ChatTerminal | undefined;
	let before: ConnectionState = "closed";
	const client = connectGateway({
		url: address,
		token,
		onState: (state) => {
			terminal?.showState(state, before);
			before = state;
		},
	});
	try {
		const sessionKey = await firstSession(client, options, address);
		if (sessionKey !== null) await checkSession(client, sessionKey, address);
		terminal = new ChatTerminal(client, { input: process.stdin, output: process.stdout });
		await greet(client, terminal, address);
		return (await terminal.run(sessionKey)) ? EXIT.ok : EXIT.failed;
	} finally {
		client.close();
	}
}

/** The session to enter, or null for a new one. Also finds out whether anyone answers. */
async function firstSession(
	client: GatewayClient,
	{ switches, values }: Options,
	url: string,
): Promise<string | null> {
	const late = new Promise<never>((_, reject) => {
		const reason = `No gateway answers at ${url}. Is Baton running? npm start, or baton start.`;
		setTimeout(() => reject(new CommandError(reason)), CONNECT_MS).unref();
	});
	const list = client.call("sessions.list", { limit: 1 }).catch((error: Error) => {
		throw new CommandError(`${url}: ${error.message}`);
	});
	const { sessions } = await Promise.race([list, late]);
	if (values.session !== undefined) return values.session;
	return switches.has("new") ? null : (sessions[0]?.key ?? null);
}

/** Before anything is shown: a key that is none of this person's is said, and that is all. */
async function checkSession(client: GatewayClient, sessionKey: string, url: string): Promise<void> {
	try {
		await client.call("chat.history", { sessionKey, limit: 1 });
	} catch (error) {
		if (!(error instanceof GatewayError)) throw error;
		if (!SAYS_NOT_THERE.has(error.type)) throw new CommandError(`${url}: ${error.message}`);
		const message = `There is no conversation "${sessionKey}" for you at ${url}.`;
		throw new CommandError(message, { exitCode: EXIT.notFound });
	}
}

async function greet(client: GatewayClient, { screen }: ChatTerminal, url: string): Promise<void> {
	const { agents } = await client.call("agents.list", {});
	const [first] = agents;
	const served = first?.notice ? ` (${first.notice})` : "";
	screen.note(`${url} · ${first?.id ?? "no agent"}${served}`);
	screen.note(":help shows commands. Ctrl-C stops an answer, Ctrl-D leaves.");
}
