import type { RequestListener } from "node:http";
import { hostname } from "node:os";
import { createA2aDoor } from "@baton/a2a-agentforce/door";
import { ApiKeys } from "@baton/agent";
import { stopAccepting } from "../http/close-server";
import { listen } from "../http/listen";
import type { Log } from "../log/log";
import { addressesOf } from "../start/addresses";
import { VERSION } from "../version";
import { readRemoteAgents, servedAgents } from "./a2a-agents";
import type { Door, Parts } from "./door";

/** A2A on a port of its own: any agent of this process, for any A2A client. */
export async function openA2aDoor(parts: Parts): Promise<Door | null> {
	const { config, keys, log, store, sessions, agents, turns } = parts;
	const { a2a } = config;
	const listensAt = addressesOf(config).a2a;
	if (!listensAt) return null;
	const remoteAgents = await readRemoteAgents(config);
	let address = a2a.baseUrl ?? "";
	const served = servedAgents(config, agents);
	const replacement = agents.replacementOf(served[0].name);
	const door = createA2aDoor({
		turns,
		sessions,
		store,
		keys: [keys, ...(a2a.apiKey ? [ApiKeys.parse(`a2a:${a2a.apiKey}`)] : [])],
		jwt: a2a.jwt,
		agents: served,
		url: () => address,
		version: VERSION,
		ratePerMinute: a2a.ratePerMinute,
		maxBodyBytes: config.maxBodyBytes,
		corsOrigins: config.corsOrigins,
		push: { hosts: a2a.pushHosts, allowPrivate: a2a.pushPrivate },
		delegate: {
			agents: remoteAgents,
			...(a2a.delegateApiKey && { keys: [ApiKeys.parse(`delegate:${a2a.delegateApiKey}`)] }),
			ratePerMinute: a2a.delegateRatePerMinute,
		},
		holder: `${hostname()}/${process.pid}`,
		log,
	});
	const listener = parts.traced("a2a", logged(door.listener, log));
	const http = await listen(listener, listensAt).catch(async (error: unknown) => {
		await door.close();
		throw error;
	});
	if (address === "") address = http.url;
	let closing: ReturnType<typeof stopAccepting> | undefined;
	return {
		name: "A2A",
		url: http.url,
		...(replacement && { note: replacement.reason }),
		tryIt: `curl -N ${http.url} -H "Authorization: Bearer <key>" -H "A2A-Version: 1.0" -H "Content-Type: application/json" -d '{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"'$(date +%s)-$$'","role":"ROLE_USER","parts":[{"text":"Hello!"}]}}}'`,
		stopAccepting() {
			door.drain();
			closing = stopAccepting(http.server);
		},
		async finish(graceMs) {
			closing ??= stopAccepting(http.server);
			await Promise.all([door.close(), closing.finish(graceMs)]);
		},
	};
}

function logged(listener: RequestListener, log: Log): RequestListener {
	return (request, response) => {
		const started = performance.now();
		const { method } = request;
		// Queries may hold what nobody should read in a log.
		const path = request.url?.split("?", 1)[0];
		response.once("close", () => {
			const ms = Math.round(performance.now() - started);
			log.info({ method, path, status: response.statusCode, ms }, "A2A request.");
		});
		listener(request, response);
	};
}
