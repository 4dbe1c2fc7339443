import { expect, it } from "vitest";
import { encodeNdjson } from "./encode-ndjson";

it("writes one object as one line", () => {
	expect(encodeNdjson({ type: "stderr", content: "a\r\nb" })).toBe(
		'{"type":"stderr","content":"a\\r\\nb"}\n',
	);
});

it("writes lone surrogates as escapes, so that UTF-8 can carry them", () => {
	expect(encodeNdjson({ t: "\ud83c" })).toBe('{"t":"\\ud83c"}\n');
});

it("refuses what a reader would skip", () => {
	expect(() => encodeNdjson([1])).toThrow(TypeError);
	expect(() => encodeNdjson(() => 1)).toThrow(TypeError);
	expect(() => encodeNdjson(new Date(0))).toThrow(TypeError);
});
