import type { SessionPort } from "@giselles-ai/giselle-provider";
import type { Newcomers } from "../visitors/newcomers";
import type { Visitors } from "../visitors/visitors";

/**
 * What the app's routes work with. The process that serves the app puts one under `HOST_KEY`; where
 * nobody does, in a serverless deployment, one is made from the environment.
 */
export interface WebHost {
	agentApi: {
		/** For callers with keys of their own. */
		fetch(request: Request): Promise<Response>;
		/** For this app's visitors, whose owner is known. */
		fetchAs(owner: string, request: Request): Promise<Response>;
	};
	/** Where the provider keeps turns that wait for a page. */
	sessions: SessionPort;
	visitors: Visitors;
	/** Limits those whom no cookie makes known. */
	newcomers: Newcomers;
	/** Where a request comes from, as far as that can be believed. */
	addressOf(headers: Headers): string;
	/** Whether a `Host` header names this server; a name that a stranger chose may point here too. */
	isOwnHost(host: string): boolean;
	/** Which agent serves the app, and what the person should know about it. */
	agent: { name: string; notice?: string };
	log: { warn(details: Record<string, unknown>, message: string): void };
}

/** Changes with every incompatible change of `WebHost`: an app that was built before finds none. */
export const HOST_KEY = Symbol.for("@baton/web/host/2");
