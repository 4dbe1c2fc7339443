import { TRANSCRIPT, type TranscriptRow } from "@baton/agent";
import { withinTime } from "@baton/session";
import { isTerminal } from "../../chat/chat-event";
import { runAgentTurn } from "../../chat/run-agent-turn";
import { SubscribeParams, UnsubscribeParams, WaitParams } from "../../protocol/params";
import { RPC, RpcError } from "../rpc-error";
import { findRun } from "./find-run";
import { findSession } from "./find-session";
import { parseParams } from "./parse-params";
import type { MethodContext, MethodHandler } from "./types";

/** Replays a session's events after a cursor, then follows: on any socket, after any restart. */
export const chatSubscribe: MethodHandler = async (params, ctx) => {
	const { sessionKey, after } = parseParams(SubscribeParams, params);
	await findSession(ctx, sessionKey);
	const { settledSeq, last } = await ctx.turns.position(sessionKey);
	const from = after ?? Math.min(settledSeq, last);
	ctx.afterAnswer(() => ctx.chats.subscribe(sessionKey, from));
	return { after: from, last };
};

export const chatUnsubscribe: MethodHandler = async (params, { chats }) => {
	const { sessionKey } = parseParams(UnsubscribeParams, params);
	const unsubscribed = chats.subscribed.includes(sessionKey);
	chats.unsubscribe(sessionKey);
	return { unsubscribed };
};

/** Answers when a turn has ended, or after the timeout that it still runs. */
export const chatWait: MethodHandler = async (params, ctx) => {
	const { sessionKey, runId, timeoutMs } = parseParams(WaitParams, params);
	await findSession(ctx, sessionKey);
	const { turns, sessions } = ctx;
	const { settledSeq } = await turns.position(sessionKey);
	if ((await findRun(ctx, runId, sessionKey)) === null) return endOf(ctx, sessionKey, runId);
	if (timeoutMs === 0) return { runId, status: "running" };
	const turn = { turns, sessions, sessionKey, runId, seq: settledSeq + 1 };
	const end = await withinTime(timeoutMs, ctx.signal, (signal) =>
		runAgentTurn({ ...turn, signal }),
	);
	if (!end || !isTerminal(end)) return { runId, status: "running" };
	if (end.type === "final") return { runId, status: "success" };
	return { runId, status: end.aborted ? "aborted" : "error", error: end.message };
};

/** How a turn ended that is over, by its row in the transcript. */
async function endOf({ sessions }: MethodContext, sessionKey: string, runId: string) {
	const { entries } = await sessions.tail(sessionKey, TRANSCRIPT, 1_000);
	const rows = entries
		.map(({ event }) => event as TranscriptRow)
		.filter((row) => row.runId === runId);
	const answer = rows.find(({ role }) => role === "assistant");
	if (answer) {
		const { status = "success", error } = answer;
		return { runId, status, ...(error !== undefined && { error }) };
	}
	// A message without an answer whose turn is over was stopped before it began.
	if (rows.length > 0) return { runId, status: "aborted" };
	throw new RpcError(RPC.notFound, "not_found", "There is no such turn in this session.");
}
