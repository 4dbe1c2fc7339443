import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Agent, type SessionValue, Turns, type TurnsOptions } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { openStore, type Store } from "@baton/session";
import { tempDir } from "@baton/testkit";
import { createGateway, type GatewayOptions, WorkspaceAgents } from "../../src";
import { Peer } from "./peer";

export const TOKEN = "mysecrettoken";
export const BOB = "bobs-secret-token";

export interface GatewayFixture {
	url: string;
	http: string;
	server: Server;
	store: Store;
	turns: Turns;
	warnings: string[];
	/** A socket of the owner `local`, or of whom the token belongs to. */
	open(token?: string, more?: object): Promise<Peer>;
	close(): Promise<void>;
}

interface FixtureOptions extends Partial<GatewayOptions> {
	store?: Store;
	agent?: Agent;
	/** Where `workspace/AGENTS.md` is. */
	dataDir?: string;
	turnSettings?: Partial<TurnsOptions>;
	/** Default: any free one. */
	port?: number;
}

/** A gateway in this process, on a port of its own: over the given store, or over files of its own. */
export async function openGateway(options: FixtureOptions = {}): Promise<GatewayFixture> {
	const { agent = createDemoAgent(), dataDir = "/nonexistent" } = options;
	const folder = options.store ? null : await tempDir("baton-gateway-store");
	const store = options.store ?? (await openStore({ driver: "files", dir: folder?.path ?? "" }));
	const sessions = store.collection<SessionValue>("sessions");
	const warnings: string[] = [];
	const log = {
		info: () => {},
		warn: (details: Record<string, unknown>, message: string) => {
			warnings.push(`${message} ${String(details.error)}`);
		},
	};
	const turns = new Turns({
		sessions,
		agents: () => agent,
		holder: "test",
		log,
		...options.turnSettings,
	});
	const gateway = createGateway({
		turns,
		sessions,
		agents: await WorkspaceAgents.open({
			file: join(dataDir, "workspace", "AGENTS.md"),
			defaultModel: "anthropic/claude-opus-4-6",
			serving: (model) =>
				model.startsWith("no-such")
					? null
					: { servedBy: agent.name, notice: `in place of ${model}` },
			explainUnserved: (model) => `There is no agent "${model}".`,
		}),
		tokens: fixedTokens({ [TOKEN]: "local", [BOB]: "bob" }),
		log,
		version: "test",
		sessionsDir: join(dataDir, "sessions"),
		...options,
	});
	const server = createServer(gateway.listener);
	gateway.attach(server);
	await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const url = `ws://127.0.0.1:${port}`;
	return {
		url,
		http: `http://127.0.0.1:${port}`,
		server,
		store,
		turns,
		warnings,
		open: (token = TOKEN, more = {}) => Peer.open(url, token, more),
		async close() {
			gateway.stopAccepting();
			await gateway.finish(200);
			await turns.close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await store.close();
			await folder?.remove();
		},
	};
}

export function fixedTokens(owners: Record<string, string>): GatewayOptions["tokens"] {
	return {
		async resolve(token) {
			const owner = owners[token];
			return owner === undefined ? null : { owner, version: token };
		},
		isCurrent: async (version) => Object.hasOwn(owners, version),
	};
}
