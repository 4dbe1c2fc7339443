import { createParser } from "eventsource-parser";
import { AgentforceError } from "./agentforce-error";
import { type AgentforceMessage, streamEventSchema } from "./agentforce-message";
import { readBytes } from "./read-bytes";
import { parseJson } from "./read-text";

const MAX_EVENT = 4 * 1024 * 1024;

/**
 * The messages of a stream, each as it arrives, until the stream ends. What carries no message is
 * passed over. A stream that breaks, or is silent for too long, is an error; leaving it early
 * cancels the request.
 */
export async function* readStream(
	response: Response,
	silenceMs: number,
	signal?: AbortSignal,
): AsyncGenerator<AgentforceMessage, void, undefined> {
	const decoder = new TextDecoder();
	// Parsed by hand, not by a pipe: a pipe that breaks drops what it has not handed on yet.
	const parsed: AgentforceMessage[] = [];
	const parser = createParser({
		maxBufferSize: MAX_EVENT,
		onEvent({ data }) {
			const event = streamEventSchema.safeParse(parseJson(data));
			if (event.success) parsed.push(event.data.message);
		},
		onError(error) {
			if (error.type === "max-buffer-size-exceeded") throw error;
		},
	});
	try {
		for await (const bytes of readBytes(response, silenceMs, signal)) {
			parser.feed(decoder.decode(bytes, { stream: true }));
			yield* parsed.splice(0);
		}
	} catch (cause) {
		signal?.throwIfAborted();
		if (cause instanceof AgentforceError) throw cause;
		const message = "The answer broke off; the message may have had effects already.";
		throw new AgentforceError("failed", message, { cause });
	}
}
