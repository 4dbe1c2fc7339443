import { connectGateway, type GatewayClient } from "@baton/gateway/client";
import { openStore, type Store } from "@baton/session";
import { freePort, launchChromium, startRedis, waitFor } from "@baton/testkit";
import type { BrowserContextOptions } from "playwright-core";
import { ConsolePage } from "./console-page";
import { type Network, openNetwork } from "./network";
import { startWeb, type WebServer } from "./web-server";

const TOKEN = "gateway-token-0123456789abcdef";
const WIDE = { viewport: { width: 1360, height: 860 } };

interface Details {
	id: string;
	state: string;
	last: number;
}

/** A server on Redis with all its doors, and a browser. */
export interface ConsoleParts {
	server: WebServer;
	store: Store;
	/** A way to the server that can be cut. */
	network: Network;
	gateway: GatewayClient;
	/** A page of one window that all tests share; with options, of a window of its own. */
	newPage(options?: BrowserContextOptions): Promise<ConsolePage>;
	/** Says something through the agent API. */
	run(message: string, name: string): Promise<Response>;
	/** The same, and leaves: the turn runs on. */
	begin(message: string, name: string): Promise<void>;
	/** Says something through the page's route, and brings `more` messages along. */
	chat(text: string, id: string, more?: object[]): Promise<Response>;
	details(name: string): Promise<Details>;
	/** Where a session stands when its turn is over. */
	ended(name: string): Promise<Details>;
	stop(): Promise<void>;
}

export async function startConsole(): Promise<ConsoleParts> {
	const redis = await startRedis();
	const port = await freePort();
	const env = { REDIS_URL: redis.url, PROJ_JARVIS_PORT: `${port}`, PROJ_JARVIS_TOKEN: TOKEN };
	const [server, browser, store] = await Promise.all([
		startWeb(env),
		launchChromium(),
		openStore({ driver: "redis", url: redis.url }),
	]);
	const shared = await browser.newContext(WIDE);
	const network = await openNetwork(server.url);
	const gateway = connectGateway({ url: `ws://127.0.0.1:${port}`, token: TOKEN });
	const key = /Bearer ([\w-]+)"/.exec(server.tryIt)?.[1];
	const run = (message: string, name: string, signal?: AbortSignal) =>
		fetch(`${server.url}/agent-api/run`, {
			method: "POST",
			headers: { authorization: `Bearer ${key}` },
			body: JSON.stringify({ type: "agent.run", message, session_id: name }),
			...(signal && { signal }),
		});
	const details = async (name: string) =>
		(await (await fetch(`${server.url}/api/sessions/${name}`)).json()) as Details;
	return {
		server,
		store,
		network,
		gateway,
		async newPage(options) {
			const context = options ? await browser.newContext(options) : shared;
			return new ConsolePage(await context.newPage());
		},
		run: (message, name) => run(message, name),
		async begin(message, name) {
			const leave = new AbortController();
			await run(message, name, leave.signal);
			leave.abort();
		},
		chat(text, id, more = []) {
			const message = { id: "m1", role: "user", parts: [{ type: "text", text }] };
			const body = JSON.stringify({ id, messages: [message, ...more] });
			return fetch(`${server.url}/api/chat`, { method: "POST", body });
		},
		details,
		async ended(name) {
			const isOver = async () => {
				const now = await details(name);
				return /running|waiting|new/.test(now.state) ? null : now;
			};
			return waitFor(isOver, { timeoutMs: 60_000, what: `the end of ${name}'s turn` });
		},
		async stop() {
			gateway.close();
			await browser.close();
			await network.close();
			await store.close();
			await server.stop();
			await redis.stop();
		},
	};
}
