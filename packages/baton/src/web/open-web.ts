import type { Server } from "node:http";
import type { AgentApi } from "@baton/agent-api";
import type { JsonObject } from "@baton/session";
import {
	callerAddress,
	Newcomers,
	openWebApp,
	PEER_HEADER,
	Visitors,
	type WebApp,
} from "@baton/web/server";
import { createStoreSessions } from "@giselles-ai/giselle-provider/store";
import type { Config } from "../config/config";
import type { Parts } from "../doors/door";
import { LOCAL_OWNER } from "../keys/local-key";
import { StartError } from "../start/start-error";
import { isLoopback, ownHost } from "./own-host";

/** The web app on the server of this process, with this process' store and agents behind it. */
export async function openWeb(
	{ config, log, store, agents }: Parts,
	agentApi: AgentApi,
	http: { server: Server; port: number },
	secret: string,
): Promise<WebApp> {
	const notice = agents.replacementOf(config.agent)?.reason;
	const host = {
		agentApi,
		sessions: createStoreSessions(store.collection<JsonObject>("provider")),
		visitors: new Visitors({
			secret,
			everyone: everyoneIs(config),
			secure: config.publicUrl?.startsWith("https:") ?? false,
		}),
		newcomers: new Newcomers(config.newcomersPerMinute),
		addressOf: (headers: Headers) =>
			callerAddress(headers, headers.get(PEER_HEADER) ?? "", config.trustedProxies),
		isOwnHost: ownHost(config),
		agent: { name: config.agent, ...(notice && { notice }) },
		log,
	};
	try {
		return await openWebApp(host, { ...http, host: config.host });
	} catch (error) {
		throw new StartError(`The web app does not start: ${(error as Error).message}`, {
			cause: error,
		});
	}
}

/**
 * Without settings there is one owner, and whoever can open the page on this machine is that owner.
 * Where keys are set, or others can reach the server, each visitor is somebody of their own.
 */
function everyoneIs({ webOwner, apiKeys, host, publicUrl }: Config): string | undefined {
	if (webOwner !== undefined) return webOwner;
	return apiKeys || publicUrl || !isLoopback(host) ? undefined : LOCAL_OWNER;
}
