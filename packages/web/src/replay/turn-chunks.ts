import type { Line } from "../agent-api/line";
import type { ChatChunk, ChatMetadata } from "../chat/chat-message";
import { TOOL_OF_REQUEST } from "../chat/page-tools";
import { AgentToolChunks } from "./agent-tool-chunks";
import { outcomeOf } from "./request-outcome";

interface TurnChunksOptions {
	messageId: string;
	/** Under which the reading page claims requests: those of others are not its to run. */
	claimId?: string | undefined;
}

/**
 * The events of one turn as the chunks of one UI message: the same message, with the same ids, as the
 * one that was streamed when the turn ran. A step ends with each answer of the page, so the message
 * never ends in a step whose calls look as if they waited to be sent.
 */
export class TurnChunks {
	readonly #options: TurnChunksOptions;
	readonly #tools = new AgentToolChunks();
	/** Requests that wait for an answer, and whether another page has them. */
	readonly #waiting = new Map<string, { line: Line; isOthers: boolean }>();
	#textId: string | null = null;
	#isOver = false;

	constructor(options: TurnChunksOptions) {
		this.#options = options;
	}

	/** The turn has ended, or waits for this page: nothing comes after these chunks. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** Whether a request waits that is this page's to run. */
	get isAsking(): boolean {
		return [...this.#waiting.values()].some(({ isOthers }) => !isOthers);
	}

	start(): ChatChunk[] {
		return [{ type: "start", messageId: this.#options.messageId }, { type: "start-step" }];
	}

	feed(line: Line): ChatChunk[] {
		switch (line.type) {
			case "message":
				return this.#message(line);
			case "tool_use":
			case "tool_result":
				return [...this.#closeText(), ...this.#tools.feed(line)];
			case "snapshot_request":
			case "execute_request":
				this.#waiting.set(String(line.requestId), { line, isOthers: false });
				return this.#closeText();
			case "request_claimed":
				return this.#claimed(line);
			case "request_answered":
			case "request_closed":
				return this.#settled(line);
			case "result":
				return this.#end(line);
			default:
				return [];
		}
	}

	/** The page's part now: its calls, and the end of the stream until it has answered them. */
	ask(): ChatChunk[] {
		this.#isOver = true;
		const calls = [...this.#waiting.values()].filter(({ isOthers }) => !isOthers);
		return [
			...calls.map(({ line }): ChatChunk => {
				const { toolCallId, toolName, input } = callOf(line);
				return { type: "tool-input-available", toolCallId, toolName, input };
			}),
			{ type: "finish-step" },
			{ type: "finish", finishReason: "tool-calls" },
		];
	}

	#message({ role, content, delta, seq }: Line): ChatChunk[] {
		if (role !== "assistant" || typeof content !== "string" || content === "") return [];
		const chunks = delta === true ? [] : this.#closeText();
		if (this.#textId === null) {
			this.#textId = `text-${seq}`;
			chunks.push({ type: "text-start", id: this.#textId });
		}
		chunks.push({ type: "text-delta", id: this.#textId, delta: content });
		return delta === true ? chunks : [...chunks, ...this.#closeText()];
	}

	/** Another page runs it: the call is shown, in a form that this page does not run. */
	#claimed({ requestId, claimId }: Line): ChatChunk[] {
		const request = this.#waiting.get(String(requestId));
		if (!request || claimId === this.#options.claimId) return [];
		request.isOthers = true;
		return showCall(request.line);
	}

	#settled(event: Line): ChatChunk[] {
		const id = String(event.requestId);
		const request = this.#waiting.get(id);
		if (!request) return [];
		this.#waiting.delete(id);
		return [
			...this.#closeText(),
			...(request.isOthers ? [] : showCall(request.line)),
			outcomeOf(event, id),
			{ type: "finish-step" },
			{ type: "start-step" },
		];
	}

	#end(result: Line): ChatChunk[] {
		this.#isOver = true;
		const messageMetadata = metadataOf(result);
		const finishReason = messageMetadata.status === "error" ? "error" : "stop";
		return [
			...this.#closeText(),
			{ type: "finish-step" },
			{ type: "finish", finishReason, messageMetadata },
		];
	}

	#closeText(): ChatChunk[] {
		const id = this.#textId;
		this.#textId = null;
		return id === null ? [] : [{ type: "text-end", id }];
	}
}

function callOf(line: Line) {
	const { type, requestId, instruction, document, actions, fields } = line;
	const input = type === "snapshot_request" ? { instruction, document } : { actions, fields };
	return {
		toolCallId: String(requestId),
		toolName: TOOL_OF_REQUEST[type] ?? "getFormSnapshot",
		input,
	};
}

/** A call that nobody here shall run: `onToolCall` is told of whole inputs alone. */
function showCall(line: Line): ChatChunk[] {
	const { toolCallId, toolName, input } = callOf(line);
	return [
		{ type: "tool-input-start", toolCallId, toolName },
		{ type: "tool-input-delta", toolCallId, inputTextDelta: JSON.stringify(input) },
	];
}

/** How a turn ended, as far as a person should see it. */
function metadataOf({ status, error, notice }: Line): ChatMetadata {
	const message = (error as { message?: unknown } | undefined)?.message;
	return {
		...((status === "error" || status === "aborted" || status === "dropped") && { status }),
		...(typeof message === "string" && { error: message }),
		...(typeof notice === "string" && { notice }),
	};
}
