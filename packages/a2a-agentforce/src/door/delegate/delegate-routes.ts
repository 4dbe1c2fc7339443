import { AgentCard } from "@a2a-js/sdk";
import type { Store } from "@baton/session";
import express, { Router } from "express";
import { z } from "zod";
import type { LetIn } from "../http/let-in";
import { Refusal } from "../http/send-error";
import { Delegation } from "./delegation";
import openapi from "./openapi.json";
import type { RemoteAgent } from "./remote-agents";
import { RemoteClients } from "./remote-clients";

/** A caller inside Salesforce is cut off after 120 s. */
const REMOTE_MS = 110_000;

const delegateBody = z.looseObject({
	agentAlias: z.string().min(1).max(64),
	message: z.string().min(1).max(100_000),
	contextId: z.string().max(256).optional(),
});

interface DelegateOptions {
	letIn: LetIn;
	agents: readonly RemoteAgent[];
	store: Store;
	/** How long a remote agent may take. Default 110,000. */
	timeoutMs?: number;
	onFailure: (error: unknown) => void;
}

/** The way out: agents elsewhere, by alias, for callers that speak no A2A. */
export function delegateRoutes({
	letIn,
	agents,
	store,
	timeoutMs,
	onFailure,
}: DelegateOptions): Router {
	const clients = new RemoteClients(timeoutMs ?? REMOTE_MS);
	const delegation = new Delegation(clients, store);
	const find = (alias: string): RemoteAgent => {
		const remote = agents.find((one) => one.alias === alias);
		if (!remote) throw new Refusal("NOT_FOUND", "There is no agent of this alias.");
		return remote;
	};
	/** What a remote agent says about its troubles is for our log. */
	const reach = async <T>(work: Promise<T>): Promise<T> => {
		try {
			return await work;
		} catch (error) {
			onFailure(error);
			throw new Refusal("BAD_GATEWAY", "The remote agent did not answer as it should.");
		}
	};

	const router = Router();
	router.get("/api/v1/openapi.json", (_, response) => {
		response.json(openapi);
	});
	router.use("/api/v1", async (request, response, next) => {
		response.locals.caller = await letIn(request, response);
		next();
	});
	router.use("/api/v1", express.json({ limit: "256kb" }));
	router.get("/api/v1/agents", (_, response) => {
		response.json({ agents: agents.map(({ alias, description }) => ({ alias, description })) });
	});
	router.post("/api/v1/agents/:alias/discover", async (request, response) => {
		const remote = find(request.params.alias);
		const card = await reach(clients.discover(remote).then((found) => AgentCard.toJSON(found)));
		response.json({ alias: remote.alias, card });
	});
	router.post("/api/v1/delegate", async (request, response) => {
		const parsed = delegateBody.safeParse(request.body);
		if (!parsed.success) {
			const [issue] = parsed.error.issues;
			const field = issue?.path.join(".") || "The body";
			throw new Refusal("INVALID_ARGUMENT", `${field}: ${issue?.message ?? "is not valid"}.`);
		}
		const { owner } = response.locals.caller;
		const { agentAlias, message, contextId } = parsed.data;
		const remote = find(agentAlias);
		if (contextId && !(await delegation.isOwnContext(owner, agentAlias, contextId))) {
			throw new Refusal("NOT_FOUND", "There is no such context: leave it out to begin one.");
		}
		const asked = { message, ...(contextId && { contextId }) };
		response.json(await reach(delegation.ask(owner, remote, asked)));
	});
	return router;
}
