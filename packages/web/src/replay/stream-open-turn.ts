import { setTimeout as sleep } from "node:timers/promises";
import type { AgentApiClient } from "../agent-api/agent-api-client";
import type { Line } from "../agent-api/line";
import type { ChatChunk } from "../chat/chat-message";
import { replyId } from "../chat/message-ids";
import { joinDeltas } from "./join-deltas";
import { TurnChunks } from "./turn-chunks";
import { turnsOf } from "./turns-of";

/** How long after a request others are waited for, to be asked of the page together. */
const TOGETHER_MS = 30;

interface StreamOptions {
	api: AgentApiClient;
	sessionId: string;
	claimId: string | undefined;
	/** The reader is gone. */
	signal: AbortSignal;
}

/**
 * The turn that runs, from its start and then live; null when none does. Ends without its last chunk
 * when what it told is withdrawn: then the reader reads again from the start.
 */
export async function streamOpenTurn(
	options: StreamOptions,
): Promise<AsyncGenerator<ChatChunk, void, undefined> | null> {
	const { api, sessionId, claimId } = options;
	const { turns, last } = turnsOf((await api.read(sessionId)) ?? []);
	const turn = turns.find(({ isOpen }) => isOpen);
	if (!turn) return null;
	const chunks = new TurnChunks({ messageId: replyId(turn.key), claimId });
	return tell(options, turn.runId, chunks, turn.events, last);
}

async function* tell(
	{ api, sessionId, signal }: StreamOptions,
	runId: string,
	chunks: TurnChunks,
	events: Line[],
	last: number,
): AsyncGenerator<ChatChunk, void, undefined> {
	yield* chunks.start();
	for (const event of joinDeltas(events)) yield* chunks.feed(event);
	if (chunks.isAsking) {
		yield* chunks.ask();
		return;
	}
	for await (const line of api.follow(sessionId, last, signal)) {
		if (line.type === "reset") return;
		if (line.run_id !== runId || line.repeated === true) continue;
		if (line.type === "retract") return;
		yield* chunks.feed(line);
		if (chunks.isAsking) {
			yield* askTogether(api, sessionId, chunks, runId, Number(line.seq));
			return;
		}
		if (chunks.isOver) return;
	}
}

async function* askTogether(
	api: AgentApiClient,
	sessionId: string,
	chunks: TurnChunks,
	runId: string,
	after: number,
): AsyncGenerator<ChatChunk, void, undefined> {
	await sleep(TOGETHER_MS);
	for (const line of (await api.read(sessionId, { after })) ?? []) {
		if (line.run_id === runId && line.repeated !== true) yield* chunks.feed(line);
	}
	if (chunks.isAsking) yield* chunks.ask();
}
