import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Length } from "./utf8-length";

it("is the length that a TextEncoder makes, for any text", () => {
	const unit = fc.constantFrom(
		"a",
		"\x7f",
		"\x80",
		"߿",
		"ࠀ",
		"€",
		"\ud800",
		"\udbff",
		"\udc00",
		"🎉",
	);
	fc.assert(
		fc.property(fc.string({ unit }), (text) => {
			expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
		}),
	);
});
