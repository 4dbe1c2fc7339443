import type { Session } from "../../sessions/session";
import { noSession } from "../rpc-error";
import type { MethodContext } from "./types";

/** The caller's session. Someone else's does not exist for the caller. */
export async function findSession(ctx: MethodContext, sessionKey: string): Promise<Session> {
	const session = await ctx.sessionManager.get(sessionKey);
	if (!session) throw noSession();
	return session;
}
