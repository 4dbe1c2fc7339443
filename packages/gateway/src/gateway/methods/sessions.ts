import { readHistory } from "../../chat/read-history";
import { CreateParams, GetParams, ListParams } from "../../protocol/params";
import { DEFAULT_AGENT } from "../../sessions/session-source";
import { RPC, RpcError } from "../rpc-error";
import { findSession } from "./find-session";
import { parseParams } from "./parse-params";
import { setLabel } from "./session-changes";
import type { MethodContext, MethodHandler } from "./types";

/** Messages that `sessions.get` brings along; `chat.history` pages through the rest. */
const MESSAGES = 500;

export const sessionsCreate: MethodHandler = async (params, ctx) => {
	const { agentId, label } = parseParams(CreateParams, params);
	const { meta } = await ctx.sessionManager.create(await chooseAgent(ctx, agentId));
	if (label !== undefined) await setLabel(ctx, meta.key, label);
	return { sessionKey: meta.key };
};

export const sessionsList: MethodHandler = async (params, { sessionManager }) => {
	const { limit, cursor } = parseParams(ListParams, params);
	return sessionManager.page({ limit, ...(cursor !== undefined && { cursor }) });
};

export const sessionsGet: MethodHandler = async (params, ctx) => {
	const { sessionKey } = parseParams(GetParams, params);
	const { meta } = await findSession(ctx, sessionKey);
	const { sessions, limits } = ctx;
	const options = { limit: MESSAGES, maxBytes: limits.answerBytes };
	return { session: meta, ...(await readHistory(sessions, sessionKey, options)) };
};

/** The agent that was asked for, or the default one: `assistant`, else the first there is. */
async function chooseAgent({ agents }: MethodContext, asked?: string): Promise<string> {
	const list = (await agents.list()).agents.map(({ id }) => id);
	if (asked === undefined) return list.includes(DEFAULT_AGENT) ? DEFAULT_AGENT : list[0]!;
	if (list.includes(asked) || agents.knows(asked)) return asked;
	const message = `agentId: there is no agent "${asked}". There are: ${list.join(", ")}.`;
	throw new RpcError(RPC.invalidParams, "unknown_agent", message);
}
