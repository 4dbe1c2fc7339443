import type { AgentCard } from "@a2a-js/sdk";
import { agentCardHandler } from "@a2a-js/sdk/server/express";
import { type RequestHandler, Router } from "express";

const PLACE = "/.well-known/agent-card.json";
/** A card changes with the process that serves it. */
const MAX_AGE_SECONDS = 60;

/** The card at its well-known place, for each version in its own shape, with what caches need. */
export function cardRoute(card: () => AgentCard): RequestHandler {
	const since = new Date().toUTCString();
	const router = Router();
	router.use(
		PLACE,
		(_, response, next) => {
			response.setHeader("Last-Modified", since);
			response.setHeader("Access-Control-Allow-Origin", "*");
			next();
		},
		agentCardHandler({
			agentCardProvider: async () => card(),
			cache: { maxAge: MAX_AGE_SECONDS },
			legacyCompat: { enabled: true },
		}),
	);
	return router;
}
