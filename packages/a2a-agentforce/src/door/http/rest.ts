import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { restHandler } from "@a2a-js/sdk/server/express";
import express, { type RequestHandler, Router } from "express";
import { isOurText } from "../a2a-error";
import type { Caller } from "../caller";
import { keepAlive } from "./heartbeat";
import type { LetIn } from "./let-in";
import { Refusal } from "./send-error";

const JSON_TYPES = ["application/json", "application/a2a+json"];

interface RestOptions {
	letIn: LetIn;
	maxBodyBytes: number;
	heartbeatMs: number;
}

/** HTTP+JSON by the SDK's handler, 1.0 and 0.3 at one address. */
export function rest(
	handler: A2ARequestHandler,
	{ letIn, maxBodyBytes, heartbeatMs }: RestOptions,
): Router {
	const router = Router();
	router.use(
		async (request, response, next) => {
			response.locals.caller = await letIn(request, response);
			next();
		},
		// Before the SDK's own parser, which knows no cap of ours and answers with a page.
		express.json({ type: JSON_TYPES, limit: maxBodyBytes, strict: false }),
		refuseOddBodies,
		withHeartbeat(heartbeatMs),
		withoutExceptions,
		restHandler({
			requestHandler: handler,
			userBuilder: async ({ res }) => res?.locals.caller as Caller,
			legacyCompat: { enabled: true },
		}),
	);
	return router;
}

/** What the SDK's routes would stumble over, or print: a body that is no object, and tenants. */
const refuseOddBodies: RequestHandler = ({ body, query }, _, next) => {
	if (body !== undefined && body !== null && (typeof body !== "object" || Array.isArray(body))) {
		throw new Refusal("INVALID_ARGUMENT", "The body is a JSON object.");
	}
	if (body?.tenant || query.tenant) throw new Refusal("INVALID_ARGUMENT", "There are no tenants.");
	next();
};

/** Of the SDK's answers only streams send their headers ahead of what they have to say. */
function withHeartbeat(everyMs: number): RequestHandler {
	return (_, response, next) => {
		const flushHeaders = response.flushHeaders.bind(response);
		response.flushHeaders = () => {
			flushHeaders();
			keepAlive(response, everyMs);
		};
		next();
	};
}

/**
 * The SDK answers a body that it cannot decode with 500 and the text of its exception. Our methods
 * fail in words of ours, so any other text is that: the caller's mistake, and nothing to show.
 */
const withoutExceptions: RequestHandler = (_, response, next) => {
	const json = response.json.bind(response);
	response.json = (body) => {
		const error = body?.error ?? body;
		if (response.statusCode !== 500 || isOurText(error?.message)) return json(body);
		const message = "The body is not that of this method.";
		response.status(400);
		if (body?.error) {
			return json({ error: { code: 400, status: "INVALID_ARGUMENT", message, details: [] } });
		}
		return json({ code: -32602, message });
	};
	next();
};
