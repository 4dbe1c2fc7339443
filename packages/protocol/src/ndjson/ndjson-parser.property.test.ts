import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeNdjson } from "./encode-ndjson";
import type { NdjsonItem } from "./ndjson-item";
import { NdjsonParser } from "./ndjson-parser";

/** Any sequence of UTF-16 units: every Unicode text, and lone surrogates too. */
const anyText = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
	fc.string({
		unit: fc.constantFrom("\ud83c", "\udf89", "🎉", "ö", "€", "\n", "\r", "\\", '"', "{"),
	}),
);

const anyObject = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		anyText,
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.boolean(),
		fc.constant(null),
		fc.array(tie("value"), { maxLength: 4 }),
		tie("object"),
	),
	object: fc.dictionary(anyText, tie("value"), { maxKeys: 4 }),
})).object as fc.Arbitrary<Record<string, unknown>>;

/** Sizes of reads, used in turn until the input is over. */
const anySizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 });

function cut<T extends Uint8Array | string>(whole: T, sizes: number[]): T[] {
	const pieces: T[] = [];
	for (let at = 0, i = 0; at < whole.length; i++) {
		const size = sizes[i % sizes.length]!;
		pieces.push(whole.slice(at, at + size) as T);
		at += size;
	}
	return pieces;
}

function parse(chunks: (Uint8Array | string)[], maxLineBytes?: number): NdjsonItem[] {
	const parser = new NdjsonParser({ maxLineBytes });
	return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

describe("for any objects and any cuts", () => {
	it("what is encoded comes out of the bytes and of the text exactly", () => {
		fc.assert(
			fc.property(fc.array(anyObject, { maxLength: 5 }), anySizes, (objects, sizes) => {
				const text = objects.map(encodeNdjson).join("");
				const lines = objects.map((object) => JSON.stringify(object));
				for (const chunks of [cut(new TextEncoder().encode(text), sizes), cut(text, sizes)]) {
					const items = parse(chunks);
					expect(items.map((item) => item.kind)).toEqual(objects.map(() => "object"));
					expect(items.map((item) => item.line)).toEqual(lines);
					expect(items.map((item) => "value" in item && JSON.stringify(item.value))).toEqual(lines);
				}
			}),
			{ numRuns: 500 },
		);
	});
});

describe("for any input, also one that is no NDJSON", () => {
	const soup = fc
		.array(
			fc.oneof(
				anyText,
				anyObject.map((object) => JSON.stringify(object)),
				// Text of about the length of the cap, in narrow and wide characters.
				fc
					.tuple(fc.constantFrom("x", "ö", "€", "🎉"), fc.integer({ min: 250, max: 1100 }))
					.map(([character, count]) => character.repeat(count)),
				fc.constantFrom("\n", "\r\n", "{", "}", '"', "[]", "1", " ", "\ufeff", '{"a":1}\n'),
			),
			{ maxLength: 12 },
		)
		.map((pieces) => pieces.join(""));

	it("the items depend on the bytes alone, not on the cuts", () => {
		const bytes = fc.oneof(
			soup.map((text) => new TextEncoder().encode(text)),
			fc.uint8Array({ maxLength: 60 }),
		);
		fc.assert(
			fc.property(bytes, anySizes, fc.constantFrom(1024, 8192), (input, sizes, max) => {
				expect(parse(cut(input, sizes), max)).toEqual(parse([input], max));
			}),
			{ numRuns: 1000 },
		);
	});

	it("the items depend on the text alone, not on the cuts", () => {
		fc.assert(
			fc.property(soup, anySizes, fc.constantFrom(1024, 8192), (input, sizes, max) => {
				expect(parse(cut(input, sizes), max)).toEqual(parse([input], max));
			}),
			{ numRuns: 1000 },
		);
	});
});
