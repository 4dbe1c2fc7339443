import { AgentApiClient } from "../agent-api/agent-api-client";
import { getHost } from "../host/host";
import type { WebHost } from "../host/web-host";
import { refuseStrangers } from "./refuse-strangers";
import { WebError } from "./web-error";

/** A request of a visitor who is known, and what a route needs to answer it. */
interface Visit {
	request: Request;
	owner: string;
	host: WebHost;
	api: AgentApiClient;
}

type Handler<P> = (visit: Visit, params: P) => Promise<Response>;
type NextHandler<P> = (request: Request, context: { params: Promise<P> }) => Promise<Response>;

/** A route of this app: strangers are refused, the visitor is known, and an error is an answer. */
export function route<P = Record<never, never>>(handler: Handler<P>): NextHandler<P> {
	return async (request, context) => {
		let host: WebHost | undefined;
		try {
			host = await getHost();
			refuseStrangers(request, host.isOwnHost);
			const { owner, isNew, setCookie } = host.visitors.resolve(request.headers);
			if (isNew) await admit(host, request);
			const api = new AgentApiClient(host.agentApi, owner);
			const response = await handler({ request, owner, host, api }, await context.params);
			if (setCookie) response.headers.append("Set-Cookie", setCookie);
			return response;
		} catch (error) {
			return errorResponse(error, host?.log ?? console);
		}
	};
}

async function admit({ newcomers, addressOf }: WebHost, { headers }: Request): Promise<void> {
	const seconds = await newcomers.take(addressOf(headers));
	if (seconds === null) return;
	throw new WebError(429, "RATE_LIMITED", `Too many requests; try again in ${seconds} s.`, {
		"Retry-After": `${seconds}`,
	});
}

function errorResponse(
	error: unknown,
	log: { warn(details: Record<string, unknown>, message: string): void },
): Response {
	const known = error instanceof WebError;
	if (!known) log.warn({ error }, "A route of the web app failed.");
	const { status, code, message, headers } = known
		? error
		: new WebError(500, "INTERNAL", "The server failed; its log says why.");
	return Response.json(
		{ ok: false, errorCode: code, message },
		{
			status,
			headers: {
				"Cache-Control": "no-store",
				...headers,
				// The rest of a body that was too large is not read.
				...(status === 413 && { Connection: "close" }),
			},
		},
	);
}
