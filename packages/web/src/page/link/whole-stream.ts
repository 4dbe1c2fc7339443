import type { UIMessageChunk } from "ai";
import { ConnectionLost } from "./connection-error";

const LAST = new Set(["finish", "abort", "error"]);
/** What comes before the agent has said or done anything. */
const FIRST = new Set(["start", "start-step"]);

interface Listeners {
	/** A step has begun: the turn runs. */
	onStep?: () => void;
	/** The agent was heard, so the server has what it replies to. */
	onReply?: () => void;
}

/**
 * The same stream, that fails when it ends without its last chunk: half a reply is none. Its beginning
 * comes together with the first thing that the agent says or does: until then the page has nothing to
 * show but that the agent is thinking, and drawing an empty reply would hold up its first word.
 */
export function wholeStream(
	stream: ReadableStream<UIMessageChunk>,
	{ onStep = () => {}, onReply = () => {} }: Listeners = {},
): ReadableStream<UIMessageChunk> {
	const held: UIMessageChunk[] = [];
	let isReply = false;
	let isWhole = false;
	return stream.pipeThrough(
		new TransformStream<UIMessageChunk, UIMessageChunk>({
			transform(chunk, controller) {
				if (!isReply && FIRST.has(chunk.type)) {
					held.push(chunk);
					if (chunk.type === "start-step") onStep();
					return;
				}
				if (!isReply) {
					isReply = true;
					onReply();
					for (const first of held) controller.enqueue(first);
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
