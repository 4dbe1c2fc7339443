import { readUIMessageStream } from "ai";
import type { Line } from "../agent-api/line";
import type { ChatChunk, ChatMessage } from "../chat/chat-message";
import { replyId, saidId } from "../chat/message-ids";
import { joinDeltas } from "./join-deltas";
import { TurnChunks } from "./turn-chunks";
import { type LoggedTurn, turnsOf } from "./turns-of";

interface History {
	/** The conversation. Of a turn that runs, what the person said; its reply comes by the stream. */
	messages: ChatMessage[];
	isRunning: boolean;
}

/** The conversation as a page shows it, from the lines of its session. */
export async function historyOf(lines: readonly Line[]): Promise<History> {
	const { earlier, turns } = turnsOf(lines);
	const messages = earlier.map(({ role, content, runId }) =>
		textMessage(role === "user" ? saidId(runId) : replyId(runId), role, content),
	);
	// What was said again stands where it was said first, with its last reply.
	const said = new Map<string, LoggedTurn>();
	for (const turn of turns) said.set(saidId(turn.key), turn);
	for (const [id, turn] of said) {
		messages.push(textMessage(id, "user", turn.content));
		if (!turn.isOpen) messages.push(await replyOf(turn));
	}
	return { messages, isRunning: turns.some(({ isOpen }) => isOpen) };
}

async function replyOf(turn: LoggedTurn): Promise<ChatMessage> {
	const messageId = replyId(turn.key);
	const mapper = new TurnChunks({ messageId });
	const chunks = [...mapper.start(), ...joinDeltas(turn.events).flatMap((e) => mapper.feed(e))];
	let message = textMessage(messageId, "assistant", "");
	const stream = new ReadableStream<ChatChunk>({
		start(controller) {
			for (const chunk of chunks) controller.enqueue(chunk);
			controller.close();
		},
	});
	for await (const state of readUIMessageStream<ChatMessage>({ stream })) message = state;
	return message;
}

function textMessage(id: string, role: "user" | "assistant", text: string): ChatMessage {
	return { id, role, parts: text === "" ? [] : [{ type: "text", text, state: "done" }] };
}
