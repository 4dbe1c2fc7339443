import { existsSync } from "node:fs";
import type { SessionValue } from "@baton/agent";
import { isBatonError, openStore, type Store } from "@baton/session";
import { CommandError } from "../cli/command-error";
import { UsageError } from "../cli/options";
import type { Config } from "../config/config";
import { readHealth } from "../doctor/check-address";
import { urlOf } from "../http/listen";
import { LOCAL_OWNER, readLocalKey } from "../keys/local-key";
import { readServerFile } from "../start/server-file";
import { type Call, SessionsClient } from "./sessions-client";

export interface OpenedSessions {
	client: SessionsClient;
	/** Whose they are; of several, where this process has opened the store. */
	owners: readonly string[];
	/** The server that is asked. Null: there is none, and this process has opened the store itself. */
	server: string | null;
	/** Set where this process has opened it. */
	store: Store | null;
	/** Nobody else can write there. */
	isAlone: boolean;
	close(): Promise<void>;
}

interface Asked {
	/** Default: the only one there is. */
	owner?: string | undefined;
	/** Of a server elsewhere. */
	url?: string | undefined;
	/** Of every owner that is configured, where the store itself is opened. */
	ofAll?: boolean;
}

/**
 * An owner's sessions: through the running server where there is one, else from the store itself. A
 * command that opens the store looks and removes; it runs no turn.
 */
export async function openSessions(config: Config, options: Asked): Promise<OpenedSessions> {
	const server = options.url ?? (await findServer(config));
	if (server === null && options.ofAll && options.owner === undefined) {
		return openHere(config, [...new Set([...(config.apiKeys?.owners ?? []), LOCAL_OWNER])]);
	}
	const { owner, key } = await credentialsOf(config, options.owner);
	if (server === null) return openHere(config, [owner]);
	if (key === null) {
		const message = `A key is needed for ${server}: set BATON_API_KEYS, or start Baton here once.`;
		throw new CommandError(message);
	}
	let address = server;
	/** Started again, it may be elsewhere: who tries again finds it. */
	const lookAgain = async () => {
		if (options.url === undefined) address = (await findServer(config)) ?? address;
	};
	const call: Call = async (path, init = {}) => {
		const headers = { authorization: `Bearer ${key}` };
		try {
			const response = await fetch(`${address}/agent-api/sessions${path}`, { ...init, headers });
			// Meanwhile another's server may have answered at the configured port.
			if (response.status === 401) await lookAgain();
			return response;
		} catch (cause) {
			const message = `${address} does not answer. Is Baton running there?`;
			await lookAgain();
			throw new CommandError(message, { cause });
		}
	};
	return {
		client: new SessionsClient(call),
		owners: [owner],
		server,
		store: null,
		isAlone: false,
		close: async () => {},
	};
}

/** Where a Baton of this data folder answers, or one at the configured port. */
async function findServer({ dataDir, host, port }: Config): Promise<string | null> {
	const said = (await readServerFile(dataDir))?.url;
	const configured = port === 0 ? [] : [urlOf(host, port)];
	for (const url of said === undefined ? configured : [said, ...configured]) {
		if (await readHealth(url)) return url;
	}
	return null;
}

async function openHere(config: Config, owners: readonly string[]): Promise<OpenedSessions> {
	// Who asks a server needs none of it.
	const [{ createSessionsApi }, { createLog }, { Scrubber }, { openConfiguredStore }] =
		await Promise.all([
			import("@baton/agent-api"),
			import("../log/create-log"),
			import("../log/scrubber"),
			import("../start/open-configured-store"),
		]);
	const log = createLog({ level: config.logLevel, scrubber: new Scrubber(config.secrets) });
	// Where Baton never was there is nothing to see, and nothing is left behind.
	const isFresh = config.redis === undefined && !existsSync(config.dataDir);
	const opening = isFresh ? openStore({ driver: "memory" }) : openConfiguredStore(config, log);
	const store = await opening.catch((error: Error) => {
		const message = isBatonError(error.cause, "locked")
			? `A running Baton owns ${config.dataDir}, and does not answer at its port: say where it is with --url.`
			: error.message;
		throw new CommandError(message, { cause: error });
	});
	const api = createSessionsApi({ sessions: store.collection<SessionValue>("sessions"), log });
	const call: Call = (path, init) =>
		api.fetchAs(
			owners[0] ?? LOCAL_OWNER,
			new Request(`http://store.invalid/agent-api/sessions${path}`, init),
		);
	return {
		client: new SessionsClient(call),
		owners,
		server: null,
		store,
		isAlone: config.redis === undefined,
		close: () => store.close(),
	};
}

/** Whose sessions, and that owner's key where this machine has it. */
async function credentialsOf(
	{ apiKeys, environment, dataDir }: Config,
	asked: string | undefined,
): Promise<{ owner: string; key: string | null }> {
	if (!apiKeys) {
		return { owner: asked ?? LOCAL_OWNER, key: await readLocalKey(dataDir) };
	}
	const owners = apiKeys.owners;
	const owner = asked ?? (owners.length === 1 ? owners[0] : undefined);
	if (owner === undefined || !owners.includes(owner)) {
		throw new UsageError(`say whose sessions with --owner; there are: ${owners.join(", ")}.`);
	}
	const pairs = (environment.BATON_API_KEYS ?? "").split(",").map((pair) => pair.trim());
	const pair = pairs.find((one) => one.startsWith(`${owner}:`));
	return { owner, key: pair?.slice(owner.length + 1) ?? null };
}
