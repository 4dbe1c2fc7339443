import { readUnfinished } from "../../chat/read-history";
import type { MethodContext } from "./types";

/** Sessions that are looked through for a turn that another process started, the newest first. */
const SESSIONS = 1_000;
const AT_ONCE = 20;

/** The session in which a turn has not ended, or null. With the session's key it costs one look. */
export async function findRun(
	ctx: MethodContext,
	runId: string,
	sessionKey?: string,
): Promise<string | null> {
	if (sessionKey !== undefined) return (await isOpen(ctx, sessionKey, runId)) ? sessionKey : null;
	let cursor: string | null | undefined;
	for (let looked = 0; looked < SESSIONS && cursor !== null; looked += AT_ONCE) {
		const page = await ctx.sessionManager.page({ limit: AT_ONCE, ...(cursor && { cursor }) });
		const keys = page.sessions.map(({ key }) => key);
		const open = await Promise.all(keys.map((key) => isOpen(ctx, key, runId)));
		const found = keys.find((_, i) => open[i]);
		if (found !== undefined) return found;
		cursor = page.cursor;
	}
	return null;
}

async function isOpen(ctx: MethodContext, sessionKey: string, runId: string): Promise<boolean> {
	const { settledSeq, last } = await ctx.turns.position(sessionKey);
	if (last <= settledSeq) return false;
	const { partial, queued } = await readUnfinished(ctx.sessions, sessionKey);
	return partial?.runId === runId || queued.includes(runId);
}
