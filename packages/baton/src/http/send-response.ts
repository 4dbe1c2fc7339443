import type { ServerResponse } from "node:http";
import { sourceOf } from "@giselles-ai/browser-tool/relay";

/**
 * Writes a web response to a Node one. Each piece goes out in the turn of the event loop in which it
 * comes; a slow reader holds the source back; a reader that is gone cancels it. Never rejects.
 */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
	outgoing.writeHead(response.status, [...response.headers].flat());
	if (!response.body || outgoing.req.method === "HEAD") {
		outgoing.end();
		await response.body?.cancel();
		return;
	}
	const source = sourceOf(response.body) ?? piecesOf(response.body.getReader());
	// Wakes a read that waits for the next piece, and tells the source to stop.
	const onClose = () => {
		source.cancel().catch(() => {});
	};
	outgoing.once("close", onClose);
	const corked = new CorkedResponse(outgoing);
	corked.hold();
	// The first piece may be long in coming, and the client should know that it was heard.
	outgoing.flushHeaders();
	try {
		for (;;) {
			const { done, value } = await source.next();
			if (done || outgoing.destroyed) break;
			corked.hold();
			if (!outgoing.write(value)) await drained(outgoing);
		}
		corked.release();
		outgoing.end();
	} catch {
		corked.release();
		// Cut, not ended: the client must not take half an answer for a whole one.
		outgoing.destroy();
	} finally {
		outgoing.off("close", onClose);
	}
}

function piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
	return { next: () => reader.read(), cancel: () => reader.cancel() };
}

/** Resolves when more can be written, or nothing can any more. */
function drained(outgoing: ServerResponse): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			outgoing.off("drain", done).off("close", done);
			resolve();
		};
		outgoing.on("drain", done).on("close", done);
		if (outgoing.destroyed) done();
	});
}

/** What is written in one turn of the event loop leaves in one write: each costs as much as a piece. */
class CorkedResponse {
	readonly #outgoing: ServerResponse;
	#held: NodeJS.Immediate | null = null;

	constructor(outgoing: ServerResponse) {
		this.#outgoing = outgoing;
	}

	/** Call it before a write. */
	hold(): void {
		if (this.#held) return;
		this.#outgoing.cork();
		this.#held = setImmediate(() => this.release());
	}

	release(): void {
		if (!this.#held) return;
		clearImmediate(this.#held);
		this.#held = null;
		this.#outgoing.uncork();
	}
}
