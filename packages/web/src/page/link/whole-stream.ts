import type { UIMessageChunk } from "ai";
import { ConnectionLost } from "./connection-error";

const LAST = new Set(["finish", "abort", "error"]);

/** The same stream, that fails when it ends without its last chunk: half a reply is none. */
export function wholeStream(
	stream: ReadableStream<UIMessageChunk>,
): ReadableStream<UIMessageChunk> {
	let isWhole = false;
	return stream.pipeThrough(
		new TransformStream<UIMessageChunk, UIMessageChunk>({
			transform(chunk, controller) {
				isWhole ||= LAST.has(chunk.type);
				controller.enqueue(chunk);
			},
			flush(controller) {
				if (!isWhole) controller.error(new ConnectionLost("the stream ended early"));
			},
		}),
	);
}
