import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Agent, ApiKeys, type SessionValue, Turns, type TurnsOptions } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { openStore, type Store } from "@baton/session";
import { type A2aDoor, type A2aDoorOptions, createA2aDoor } from "../../src/door";

export const ADA = "ada-key-0123456789abcdef";
export const BOB = "bob-key-0123456789abcdef";

export interface DoorFixture {
	url: string;
	door: A2aDoor;
	turns: Turns;
	store: Store;
	warnings: string[];
	close(): Promise<void>;
}

type DoorSettings = Partial<Omit<A2aDoorOptions, "store">> & {
	store?: Store;
	agent?: Agent;
	others?: Agent[];
	turnSettings?: Partial<TurnsOptions>;
};

/** The door over a store, on a port of loopback. */
export async function openDoor(settings: DoorSettings = {}): Promise<DoorFixture> {
	const { agent = createDemoAgent(), others = [], turnSettings, ...options } = settings;
	const store = options.store ?? (await openStore({ driver: "memory" }));
	const sessions = store.collection<SessionValue>("sessions");
	const warnings: string[] = [];
	const log = {
		warn: (details: Record<string, unknown>, message: string) => {
			warnings.push(`${message} ${String(details.error ?? details.reason ?? "")}`);
		},
	};
	const all = [agent, ...others];
	const turns = new Turns({
		sessions,
		agents: (name) => all.find((one) => one.name === name) ?? agent,
		holder: "test",
		log,
		...turnSettings,
	});
	let url = "";
	const door = createA2aDoor({
		turns,
		sessions,
		keys: [ApiKeys.parse(`ada:${ADA},bob:${BOB}`)],
		agents: all.map(({ name }) => ({
			name,
			description: `The agent ${name}.`,
		})) as unknown as A2aDoorOptions["agents"],
		url: () => url,
		version: "0.0.0",
		ratePerMinute: 100_000,
		refusedPerMinute: 100_000,
		holder: "test",
		log,
		...options,
		store,
	});
	const server = createServer(door.listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		door,
		turns,
		store,
		warnings,
		async close() {
			server.close();
			server.closeAllConnections();
			await door.close();
			await turns.close();
			if (!settings.store) await store.close();
		},
	};
}

/** Asks which pet, as Agentforce's Inquire does: the turn ends, and the next message answers. */
export const asking: Agent = {
	name: "asking",
	recovery: "fail",
	async *run({ input }) {
		if (input.content === "I want a pet") {
			yield { type: "progress", message: "Looking at pets" };
			yield { type: "message", role: "assistant", content: "Cat or dog?" };
			yield { type: "input_required", reason: "inquire" };
			return undefined;
		}
		yield { type: "message", role: "assistant", content: "You get a " };
		yield { type: "retract", reason: "validation" };
		yield { type: "message", role: "assistant", content: `A ${input.content} it is.` };
		yield { type: "citations", references: [{ link: "https://pets.example" }] };
		return undefined;
	},
};
