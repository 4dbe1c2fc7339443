import { ServerResponse } from "node:http";
import { now } from "./bare-hop.mjs";

/** When the simulator, which runs in this process, has written each word to its socket. */
export function noteWords() {
	const sent = new Map();
	const write = ServerResponse.prototype.write;
	ServerResponse.prototype.write = function (piece, ...rest) {
		const word = /"type":"TextChunk".*"message":"(\d+) ?"/.exec(piece)?.[1];
		if (word) sent.set(word, now());
		return write.call(this, piece, ...rest);
	};
	return sent;
}

/**
 * How long the word in a piece of an A2A stream took, if it holds one. Of words that came together only
 * the last one is timed: the others waited for it.
 */
export function timeOfWord(piece, sent) {
	const at = now();
	const word = /"artifactUpdate".*"text":"(?:\d+ )*?(\d+) ?"/.exec(piece)?.[1];
	return word && sent.has(word) ? [at - sent.get(word)] : [];
}
