import { deleteSession, type SessionValue, TRANSCRIPT, type TranscriptRow } from "@baton/agent";
import type { Json } from "@baton/session";
import { readUnfinished } from "../../chat/read-history";
import { DeleteParams, ForkParams, PatchParams } from "../../protocol/params";
import { RPC, RpcError } from "../rpc-error";
import { findSession } from "./find-session";
import { parseParams } from "./parse-params";
import type { MethodContext, MethodHandler } from "./types";

/** Rows that are copied at a time. */
const COPY = 500;

export const sessionsPatch: MethodHandler = async (params, ctx) => {
	const { sessionKey, label } = parseParams(PatchParams, params);
	await findSession(ctx, sessionKey);
	await setLabel(ctx, sessionKey, label);
	return { session: (await findSession(ctx, sessionKey)).meta };
};

/** Gives a session a name for people, or takes it away. */
export async function setLabel(
	{ sessions }: MethodContext,
	sessionKey: string,
	label: string | null,
): Promise<void> {
	await sessions.update(sessionKey, ({ label: _, ...value }) => ({
		...(value as SessionValue),
		...(label !== null && { label }),
		updatedAt: Date.now(),
	}));
}

export const sessionsDelete: MethodHandler = async (params, ctx) => {
	const { sessionKey } = parseParams(DeleteParams, params);
	await findSession(ctx, sessionKey);
	await deleteSession(ctx.turns, ctx.sessions, sessionKey);
	return { deleted: true };
};

/** A new session that begins with the messages of another. */
export const sessionsFork: MethodHandler = async (params, ctx) => {
	const { sessionKey, upTo, label } = parseParams(ForkParams, params);
	const { meta } = await findSession(ctx, sessionKey);
	const { sessions, sessionManager } = ctx;
	const { partial, queued } = await readUnfinished(sessions, sessionKey);
	const open = new Set([...queued, ...(partial ? [partial.runId] : [])]);
	if (upTo !== undefined && (open.has(upTo) || !(await hasRun(ctx, sessionKey, upTo)))) {
		throw new RpcError(RPC.notFound, "not_found", "upTo: no turn of this session that has ended.");
	}
	const fork = await sessionManager.create(meta.agentId);
	const copied = await copyRows(
		ctx,
		sessionKey,
		fork.meta.key,
		(row) => !open.has(row.runId ?? ""),
		upTo,
	);
	await sessions.update(fork.meta.key, (value) => ({ ...value, forkedFrom: sessionKey }));
	const name = label ?? (meta.label && `${meta.label} (copy)`);
	if (name) await setLabel(ctx, fork.meta.key, name);
	return { sessionKey: fork.meta.key, messages: copied };
};

async function hasRun(ctx: MethodContext, key: string, runId: string): Promise<boolean> {
	for await (const rows of rowsOf(ctx, key)) {
		if (rows.some((row) => isAnswerOf(row, runId))) return true;
	}
	return false;
}

/** Copies the rows that count, in order, until the last one of the run `upTo`. */
async function copyRows(
	ctx: MethodContext,
	from: string,
	to: string,
	counts: (row: TranscriptRow) => boolean,
	upTo?: string,
): Promise<number> {
	let copied = 0;
	for await (const rows of rowsOf(ctx, from)) {
		const end = upTo === undefined ? -1 : rows.findIndex((row) => isAnswerOf(row, upTo));
		const wanted = (end < 0 ? rows : rows.slice(0, end + 1)).filter(counts);
		if (wanted.length > 0) await ctx.sessions.append(to, TRANSCRIPT, wanted as Json[]);
		copied += wanted.length;
		if (end >= 0) break;
	}
	return copied;
}

function isAnswerOf(row: TranscriptRow, runId: string): boolean {
	return row.runId === runId && row.role === "assistant";
}

async function* rowsOf({ sessions }: MethodContext, key: string): AsyncGenerator<TranscriptRow[]> {
	for (let after = 0; ; ) {
		const { entries } = await sessions.read(key, TRANSCRIPT, { after, limit: COPY });
		const last = entries.at(-1);
		if (!last) return;
		yield entries.map(({ event }) => event as TranscriptRow);
		after = last.seq;
	}
}
