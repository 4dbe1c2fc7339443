import { BatonError } from "@baton/session";
import { noMapping } from "./mapping-errors";
import type { SessionMapping } from "./session-mapping";
import type { MappingChange } from "./store";

/** The seed's `update` as a change: fields merged, and the mapping alive as of now. */
export function mergeInto(contextId: string, updates: Partial<SessionMapping>): MappingChange {
	return (session) => {
		if (!session) throw noMapping(contextId);
		return { ...session, lastActivity: Date.now(), ...updates, a2aContextId: contextId };
	};
}

/** A mapping is filed under its own context, whatever the caller wrote into it. */
export function checkContext(contextId: string, session: SessionMapping): SessionMapping {
	if (typeof contextId !== "string" || contextId === "") {
		throw new BatonError("invalid", "A context id must be text, and not empty.");
	}
	if (session.a2aContextId === contextId) return session;
	throw new BatonError(
		"invalid",
		`The mapping is of context "${session.a2aContextId}", not of "${contextId}".`,
	);
}

export function isOlder({ lastActivity }: SessionMapping, maxAgeSec: number): boolean {
	return Date.now() - lastActivity > maxAgeSec * 1_000;
}
