import type { AgentCard } from "@a2a-js/sdk";
import {
	type Client,
	ClientFactory,
	DefaultAgentCardResolver,
	JsonRpcTransportFactory,
	RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { RemoteAgent } from "./remote-agents";
import { createRemoteFetch } from "./remote-fetch";

/** How long a card is believed. */
const CARD_MS = 5 * 60_000;

interface Known {
	client: Client;
	until: number;
}

/** Clients of the remote agents, by the SDK: 1.0 and 0.3, as their cards say. */
export class RemoteClients {
	readonly #known = new Map<string, Known>();
	readonly #timeoutMs: number;

	constructor(timeoutMs: number) {
		this.#timeoutMs = timeoutMs;
	}

	async get(remote: RemoteAgent): Promise<Client> {
		const known = this.#known.get(remote.alias);
		if (known && known.until > Date.now()) return known.client;
		const client = await this.#factory(remote).createFromUrl(baseOf(remote.url));
		this.#known.set(remote.alias, { client, until: Date.now() + CARD_MS });
		return client;
	}

	/** The card as it is now, and what is known of the agent forgotten. */
	async discover(remote: RemoteAgent): Promise<AgentCard> {
		this.#known.delete(remote.alias);
		const fetchImpl = createRemoteFetch(remote, this.#timeoutMs);
		const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat: { enabled: true } });
		return resolver.resolve(baseOf(remote.url));
	}

	#factory(remote: RemoteAgent): ClientFactory {
		const options = {
			fetchImpl: createRemoteFetch(remote, this.#timeoutMs),
			legacyCompat: { enabled: true },
		};
		return new ClientFactory({
			transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
			cardResolver: new DefaultAgentCardResolver(options),
		});
	}
}

/** With a slash at its end, so that the card's place is found below it. */
function baseOf(url: string): string {
	return url.endsWith("/") ? url : `${url}/`;
}
