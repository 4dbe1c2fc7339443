import type { UIMessageChunk } from "ai";
import { ConnectionLost } from "./connection-error";

const LAST = new Set(["finish", "abort", "error"]);
/** What comes before the agent was asked. */
const FIRST = new Set(["start", "start-step"]);

/**
 * The same stream, that fails when it ends without its last chunk: half a reply is none. `onReply` is
 * called when it shows that the server has what it replies to.
 */
export function wholeStream(
	stream: ReadableStream<UIMessageChunk>,
	onReply: () => void = () => {},
): ReadableStream<UIMessageChunk> {
	let isReply = false;
	let isWhole = false;
	return stream.pipeThrough(
		new TransformStream<UIMessageChunk, UIMessageChunk>({
			transform(chunk, controller) {
				if (!isReply && !FIRST.has(chunk.type)) {
					isReply = true;
					onReply();
				}
				isWhole ||= LAST.has(chunk.type);
				controller.enqueue(chunk);
			},
			flush(controller) {
				if (!isWhole) controller.error(new ConnectionLost("the stream ended early"));
			},
		}),
	);
}
