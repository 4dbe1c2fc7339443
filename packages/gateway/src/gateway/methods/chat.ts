import { readHistory } from "../../chat/read-history";
import { runAgentTurn } from "../../chat/run-agent-turn";
import { AbortParams, HistoryParams, SendParams } from "../../protocol/params";
import { RPC, RpcError } from "../rpc-error";
import { ActiveRun } from "./active-run";
import { findRun } from "./find-run";
import { findSession } from "./find-session";
import { labelByMessage } from "./label-by-message";
import { parseParams } from "./parse-params";
import type { MethodContext, MethodHandler } from "./types";

/**
 * Stores the message, answers with its run, then tells what happens in it: always in this order. The
 * agent gets the conversation from the transcript. A socket that goes away stops nothing.
 */
export const chatSend: MethodHandler = async (params, ctx) => {
	const { sessionKey, message, idempotencyKey, whenBusy } = parseParams(SendParams, params);
	const { meta } = await findSession(ctx, sessionKey);
	if (ctx.isDraining()) {
		throw new RpcError(RPC.unavailable, "stopping", "The server is stopping; come back.", true);
	}
	await ctx.agents.refresh();
	const release = ctx.chats.hold(sessionKey);
	ctx.afterAnswer(release);
	const { runId, seq, repeated } = await ctx.turns.send(
		sessionKey,
		{ content: message },
		{ ...(idempotencyKey && { idempotencyKey }), ...(whenBusy && { whenBusy }) },
	);
	ctx.afterAnswer(() => {
		void follow(ctx, sessionKey, { runId, seq }).catch((error: unknown) => {
			if (!ctx.stopping.aborted) ctx.chats.failed(error);
		});
	});
	// An interruption is stored before its message.
	const isFirst = seq === (whenBusy === "interrupt" ? 2 : 1);
	if (isFirst && !repeated && meta.label === undefined) {
		// Whoever waits for the answer does not wait for this.
		ctx.afterAnswer(() => {
			void labelByMessage(ctx, sessionKey, message);
		});
	}
	return { runId, seq, ...(repeated && { repeated }) };
};

/** Sees a turn through: it can be aborted until it ends, and its socket is told of it. */
async function follow(
	ctx: MethodContext,
	sessionKey: string,
	run: { runId: string; seq: number },
): Promise<void> {
	const { turns, sessions, activeRuns, chats, stopping } = ctx;
	// Sent again on the same socket, it is followed already.
	if (!chats.beginTelling(run.runId)) return;
	const active = new ActiveRun(turns, { sessionKey, ...run }, (error) => {
		ctx.log.warn({ error, sessionKey, ...run }, "A turn could not be stopped.");
	});
	activeRuns.set(run.runId, active);
	try {
		const turn = { turns, sessions, sessionKey, ...run, signal: stopping };
		await runAgentTurn(turn, (events) => chats.tell(sessionKey, events));
	} finally {
		if (activeRuns.get(run.runId) === active) activeRuns.delete(run.runId);
	}
}

/** The last messages, what the running turn has said so far, and what waits. */
export const chatHistory: MethodHandler = async (params, ctx) => {
	const { sessionKey, limit, before } = parseParams(HistoryParams, params);
	await findSession(ctx, sessionKey);
	return readHistory(ctx.sessions, sessionKey, {
		limit,
		...(before !== undefined && { before }),
		maxBytes: ctx.limits.answerBytes,
	});
};

/** Stops a turn, also one that another process started. A turn that has ended is no error. */
export const chatAbort: MethodHandler = async (params, ctx) => {
	const { runId, sessionKey } = parseParams(AbortParams, params);
	const active = ctx.activeRuns.get(runId);
	if (active) {
		await active.stop();
		return { aborted: true };
	}
	if (sessionKey !== undefined) await findSession(ctx, sessionKey);
	const found = await findRun(ctx, runId, sessionKey);
	if (found === null) return { aborted: false };
	await ctx.turns.abort(found, runId, "A client asked for it.");
	return { aborted: true };
};
