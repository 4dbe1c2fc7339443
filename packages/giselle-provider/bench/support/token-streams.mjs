/** The same tokens in each wire's own words, cut as a network would. */

const encoder = new TextEncoder();
export const READ_BYTES = 16 * 1024;

const RUN_ID = "0b5f6f0e-4f6f-4d7a-9f0e-0c7a3c1d2e4f";
const word = (index) => `token${index % 100} `;

/** Lines as Baton's agent API writes them. */
export function* ndjsonLines(count) {
	const line = (value) => `${JSON.stringify(value)}\n`;
	yield line({
		type: "relay.session",
		sessionId: "r",
		token: "t",
		expiresAt: 1,
		relayUrl: "http://r",
	});
	yield line({ seq: 1, type: "input_admitted", run_id: RUN_ID, content: "hi" });
	yield line({ seq: 2, type: "init", run_id: RUN_ID, session_id: "s", model: "m" });
	for (let index = 0; index < count; index++) {
		const said = { role: "assistant", content: word(index), delta: true };
		yield line({ seq: index + 3, type: "message", run_id: RUN_ID, ...said });
	}
	yield line({ seq: count + 3, type: "result", run_id: RUN_ID, status: "success", stats: {} });
}

/** Events as an OpenAI-compatible server writes them. */
export function* sseEvents(count) {
	const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
	const event = (choices) => `data: ${JSON.stringify({ ...head, choices })}\n\n`;
	for (let index = 0; index < count; index++) {
		const delta = { role: "assistant", content: word(index) };
		yield event([{ index: 0, delta, finish_reason: null }]);
	}
	yield event([{ index: 0, delta: {}, finish_reason: "stop" }]);
	yield "data: [DONE]\n\n";
}

/** One piece of the wire per read. */
export function onePerRead(pieces) {
	return Array.from(pieces, (piece) => encoder.encode(piece));
}

/** Reads of 16 KiB, wherever that cuts. */
export function inReads(pieces) {
	const all = encoder.encode([...pieces].join(""));
	const reads = [];
	for (let at = 0; at < all.length; at += READ_BYTES) reads.push(all.slice(at, at + READ_BYTES));
	return reads;
}

/** A body that hands out one chunk per pull, as a socket with a reader behind it. */
export function bodyOf(chunks) {
	let index = 0;
	return new ReadableStream(
		{
			pull(controller) {
				if (index < chunks.length) controller.enqueue(chunks[index++]);
				else controller.close();
			},
		},
		{ highWaterMark: 0 },
	);
}
