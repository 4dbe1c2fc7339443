import type { NdjsonItem } from "./ndjson-item";
import { NdjsonParser, type NdjsonParserOptions } from "./ndjson-parser";

/** The parser as a stage of a pipe: `response.body.pipeThrough(ndjsonParserStream())`. */
export function ndjsonParserStream(
	options?: NdjsonParserOptions,
): TransformStream<Uint8Array | string, NdjsonItem> {
	const parser = new NdjsonParser(options);
	return new TransformStream({
		transform(chunk, controller) {
			for (const item of parser.push(chunk)) controller.enqueue(item);
		},
		flush(controller) {
			for (const item of parser.end()) controller.enqueue(item);
		},
	});
}
