import { type Agent, ApiKeys, type SessionValue, Turns } from "@baton/agent";
import { NdjsonParser } from "@baton/protocol";
import { openStore, type Store } from "@baton/session";
import { openRelayStore, type RelayStore } from "@giselles-ai/browser-tool/relay";
import { type AgentApi, type AgentApiOptions, createAgentApi } from "../src";

export const ADA = "ada-key-0123456789abcdef";
export const BOB = "bob-key-0123456789abcdef";

export type Line = Record<string, unknown> & { type: string; seq?: number; run_id?: string };

export interface ApiFixture {
	api: AgentApi;
	turns: Turns;
	store: Store;
	relay: RelayStore;
	warnings: string[];
	post(path: string, body: unknown, key?: string | null): Promise<Response>;
	run(body: Record<string, unknown>, key?: string): Promise<Response>;
	close(): Promise<void>;
}

/** The agent API over a store, called without a network. */
export async function openApi(
	agent: Agent,
	options: Partial<AgentApiOptions> & { store?: Store } = {},
): Promise<ApiFixture> {
	const store = options.store ?? (await openStore({ driver: "memory" }));
	const sessions = store.collection<SessionValue>("sessions");
	const warnings: string[] = [];
	const log = {
		warn: (details: Record<string, unknown>, message: string) => {
			warnings.push(`${message} ${String(details.error)}`);
		},
	};
	const turns = new Turns({ sessions, agents: () => agent, holder: "test", log });
	const relay = openRelayStore(store, { sessions });
	const api = createAgentApi({
		turns,
		sessions,
		relay,
		keys: ApiKeys.parse(`ada:${ADA},bob:${BOB}`),
		defaultAgent: agent.name,
		log,
		...options,
	});
	const post = (path: string, body: unknown, key: string | null = ADA) =>
		api.fetch(
			new Request(`http://127.0.0.1/agent-api/${path}`, {
				method: "POST",
				headers: key === null ? {} : { authorization: `Bearer ${key}` },
				body: typeof body === "string" ? body : JSON.stringify(body),
			}),
		);
	return {
		api,
		turns,
		store,
		relay,
		warnings,
		post,
		run: (body, key = ADA) => post("run", { type: "agent.run", ...body }, key),
		async close() {
			await turns.close();
			await store.close();
		},
	};
}

/** Every line of an answer, as it comes. */
export async function* lines(response: Response): AsyncGenerator<Line, void, undefined> {
	const parser = new NdjsonParser();
	for await (const chunk of response.body ?? []) {
		for (const item of parser.push(chunk as Uint8Array)) {
			if (item.kind === "junk") throw new Error(`junk: ${item.line}`);
			yield item.value as Line;
		}
	}
	if (parser.end().length > 0) throw new Error("The answer ended within a line.");
}

export async function allLines(response: Response): Promise<Line[]> {
	const all: Line[] = [];
	for await (const line of lines(response)) all.push(line);
	return all;
}

/** An agent that does what a test says. */
export function scripted(run: Agent["run"], recovery: Agent["recovery"] = "retry"): Agent {
	return { name: "scripted", recovery, run };
}

export const say = (...words: string[]): Agent["run"] =>
	async function* () {
		for (const content of words) yield { type: "message", role: "assistant", content, delta: true };
		return undefined;
	};

export const hang: Agent["run"] = async function* (turn) {
	yield { type: "message", role: "assistant", content: "working", delta: true };
	await new Promise<void>((resolve) => {
		if (turn.signal.aborted) resolve();
		turn.signal.addEventListener("abort", () => resolve());
	});
	return undefined;
};
