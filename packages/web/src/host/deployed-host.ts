import { findRedisAddress, type JsonObject, openStore } from "@baton/session";
import { createStoreSessions } from "@giselles-ai/giselle-provider/store";
import { callerAddress } from "../visitors/caller-address";
import { openCookieSecret } from "../visitors/cookie-secret";
import { Newcomers } from "../visitors/newcomers";
import { Visitors } from "../visitors/visitors";
import type { WebHost } from "./web-host";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The app alone, with no Baton in its process: sessions in Redis, agents behind an agent API
 * elsewhere. Each visitor is a person of its own there, under this deployment's key.
 */
export async function createDeployedHost(env: Environment): Promise<WebHost> {
	const { BATON_AGENT_API_URL: apiUrl, BATON_AGENT_API_KEY: key } = env;
	const redis = findRedisAddress(env);
	if (!apiUrl || !key || !redis) {
		throw new Error(
			"The web app runs without a Baton of its own: set BATON_AGENT_API_URL and BATON_AGENT_API_KEY for the agent API, and REDIS_URL for its sessions.",
		);
	}
	const trustedProxies = wholeNumber(env, "BATON_TRUSTED_PROXIES", 0);
	const rejectUnauthorized = env.REDIS_TLS_REJECT_UNAUTHORIZED !== "false";
	const store = await openStore({ driver: "redis", url: redis.url, rejectUnauthorized });
	const forward = (request: Request, headers: Record<string, string>) =>
		forwardTo(apiUrl, request, headers);
	return {
		agentApi: {
			fetch: (request) => forward(request, {}),
			fetchAs: (owner, request) =>
				forward(request, { authorization: `Bearer ${key}`, "baton-user": owner }),
		},
		sessions: createStoreSessions(store.collection<JsonObject>("provider")),
		visitors: new Visitors({ secret: await openCookieSecret(store) }),
		newcomers: new Newcomers(wholeNumber(env, "BATON_NEWCOMERS_PER_MINUTE", 120)),
		// Of the connection itself this app knows nothing: without a proxy to trust all are one.
		addressOf: (headers) => callerAddress(headers, "", trustedProxies),
		isOwnHost: () => true,
		agent: { name: "agent" },
		log: { warn: (details, message) => console.warn(message, details) },
	};
}

function wholeNumber(env: Environment, name: string, fallback: number): number {
	const given = env[name]?.trim() || `${fallback}`;
	if (!/^\d{1,7}$/.test(given)) throw new Error(`${name} is a whole number, not "${given}".`);
	return Number(given);
}

/** Headers that belong to one connection, and those that would name this app's visitor elsewhere. */
const NOT_FORWARDED = ["host", "connection", "content-length", "cookie", "baton-user"];

async function forwardTo(
	apiUrl: string,
	request: Request,
	more: Record<string, string>,
): Promise<Response> {
	const { pathname, search } = new URL(request.url);
	const headers = new Headers(request.headers);
	for (const name of NOT_FORWARDED) headers.delete(name);
	for (const [name, value] of Object.entries(more)) headers.set(name, value);
	const hasBody = request.method !== "GET" && request.method !== "HEAD";
	const response = await fetch(new URL(`${pathname}${search}`, apiUrl), {
		method: request.method,
		headers,
		signal: request.signal,
		redirect: "error",
		...(hasBody && { body: await request.arrayBuffer() }),
	});
	// Its body was decoded on the way here.
	const answered = new Headers(response.headers);
	answered.delete("content-encoding");
	answered.delete("content-length");
	return new Response(response.body, { status: response.status, headers: answered });
}
