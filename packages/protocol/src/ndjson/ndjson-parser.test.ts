import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { NdjsonItem } from "./ndjson-item";
import { NdjsonParser, type NdjsonParserOptions } from "./ndjson-parser";

const fixtures = new URL("../../fixtures/", import.meta.url);
const encoder = new TextEncoder();

function parse(chunks: (Uint8Array | string)[], options?: NdjsonParserOptions): NdjsonItem[] {
	const parser = new NdjsonParser(options);
	return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

/** The values of the lines that were taken, and the reasons of those that were not. */
function summary(items: NdjsonItem[]): unknown[] {
	return items.map((item) => (item.kind === "object" ? item.value : item.reason));
}

function bytesOneByOne(text: string): Uint8Array[] {
	return Array.from(encoder.encode(text), (byte) => Uint8Array.of(byte));
}

/** The input whole, byte by byte, as text, and text unit by unit: always the same items. */
function parseEveryWay(text: string, options?: NdjsonParserOptions): NdjsonItem[] {
	const whole = parse([encoder.encode(text)], options);
	expect(parse(bytesOneByOne(text), options)).toEqual(whole);
	expect(parse([text], options)).toEqual(whole);
	expect(parse(text.split(""), options)).toEqual(whole);
	return whole;
}

describe("recorded streams", () => {
	for (const name of readdirSync(fixtures)) {
		const bytes = new Uint8Array(readFileSync(new URL(name, fixtures)));
		const lines = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
		const expected = lines.map((line) => ({ kind: "object", value: JSON.parse(line), line }));

		it(`${name}: every cut in two gives the same items`, () => {
			expect(lines).toHaveLength(8);
			for (let cut = 0; cut <= bytes.length; cut++) {
				expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
			}
		});

		it(`${name}: every size of read gives the same items`, () => {
			for (let size = 1; size <= bytes.length; size++) {
				const chunks: Uint8Array[] = [];
				for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
				expect(parse(chunks)).toEqual(expected);
			}
		});

		it(`${name}: every cut of the text gives the same items`, () => {
			const text = lines.map((line) => `${line}\n`).join("");
			for (let cut = 0; cut <= text.length; cut++) {
				expect(parse([text.slice(0, cut), text.slice(cut)])).toEqual(expected);
			}
		});
	}
});

describe("reads of many lines", () => {
	// Longer than the blocks that the parser decodes at a time, and with lines longer than one.
	const lengths = Array.from({ length: 60 }, (_, n) => (n % 7 === 6 ? 4080 + n : n * 11));
	const lines = lengths.map((length, n) =>
		JSON.stringify({ n, t: "ö".repeat(length % 3).padEnd(length) }),
	);
	const bytes = encoder.encode(lines.map((line) => `${line}\n`).join(""));

	it.each([1021, 4095, 4096, 4097, 8192, 16_384, bytes.length])("of %i bytes", (size) => {
		const chunks: Uint8Array[] = [];
		for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
		expect(parse(chunks).map((item) => item.line)).toEqual(lines);
	});
});

describe("lines that are no objects", () => {
	const junkLines: [string, string][] = [
		["{", "not_json"],
		["}", "not_json"],
		['"', "not_json"],
		['{"type":"message","content":"ha', "not_json"],
		['{"a":1}}', "not_json"],
		['{"a":1} {"b":2}', "not_json"],
		["Loaded cached credentials.", "not_json"],
		["undefined", "not_json"],
		["[1,2]", "not_object"],
		['[{"type":"message"}]', "not_object"],
		["42", "not_object"],
		['"text"', "not_object"],
		["null", "not_object"],
		["true", "not_object"],
	];

	for (const [line, reason] of junkLines) {
		it(`${line} is reported as ${reason}, and the lines around it are unharmed`, () => {
			expect(parseEveryWay(`{"n":1}\n${line}\n{"n":2}\n`)).toEqual([
				{ kind: "object", value: { n: 1 }, line: '{"n":1}' },
				{ kind: "junk", reason, line },
				{ kind: "object", value: { n: 2 }, line: '{"n":2}' },
			]);
		});
	}

	it("shows no more than the start of a junk line", () => {
		const [item] = parseEveryWay(`${"j".repeat(5000)}\n`);
		expect(item).toEqual({ kind: "junk", reason: "not_json", line: "j".repeat(200) });
	});

	it("takes bytes that are no UTF-8 as replacement characters and goes on", () => {
		const bad = Uint8Array.of(0x7b, 0x22, 0xff, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d, 0x0a);
		const expected = [{ "\ufffd\ufffd": 1 }, { n: 2 }];
		const good = encoder.encode('{"n":2}\n');
		expect(summary(parse([bad, good]))).toEqual(expected);
		expect(summary(parse([...bad, ...good].map((byte) => Uint8Array.of(byte))))).toEqual(expected);
	});
});

describe("line ends and blanks", () => {
	it("takes CRLF, and leaves the line end out of the raw line", () => {
		expect(parseEveryWay('{"n":1}\r\n{"n":2}\r\n').map((item) => item.line)).toEqual([
			'{"n":1}',
			'{"n":2}',
		]);
	});

	it("ignores blank lines: they are heartbeats", () => {
		expect(summary(parseEveryWay('\n\n{"n":1}\n\r\n \t\n\n{"n":2}\n\n'))).toEqual([
			{ n: 1 },
			{ n: 2 },
		]);
	});

	it("takes white space around an object", () => {
		expect(summary(parseEveryWay(' \t{"n":1} \n'))).toEqual([{ n: 1 }]);
	});

	it("ignores a byte order mark at the start, and only there", () => {
		expect(parseEveryWay('\ufeff{"n":1}\n\ufeff{"n":2}\n')).toEqual([
			{ kind: "object", value: { n: 1 }, line: '{"n":1}' },
			{ kind: "junk", reason: "not_json", line: '\ufeff{"n":2}' },
		]);
	});

	it("does not take other Unicode line ends for the end of a line", () => {
		const text = "a\u2028b\u2029c\u0085d";
		expect(summary(parseEveryWay(`{"t":"${text}"}\n`))).toEqual([{ t: text }]);
	});
});

describe("the end of the input", () => {
	it("takes a last line without a newline when it is whole", () => {
		expect(summary(parseEveryWay('{"n":1}\n{"n":2}'))).toEqual([{ n: 1 }, { n: 2 }]);
	});

	it("reports a last line that is cut off as truncated", () => {
		expect(parseEveryWay('{"n":1}\n{"n":')).toEqual([
			{ kind: "object", value: { n: 1 }, line: '{"n":1}' },
			{ kind: "junk", reason: "truncated", line: '{"n":' },
		]);
	});

	it("reports a last line that is cut off inside a character", () => {
		const bytes = encoder.encode('{"t":"🎉"}').subarray(0, 8);
		expect(summary(parse([bytes]))).toEqual(["truncated"]);
	});

	it("says nothing about an empty input or a blank rest", () => {
		expect(parseEveryWay("")).toEqual([]);
		expect(parseEveryWay("\n \r")).toEqual([]);
	});

	it("leaves the parser as new", () => {
		const parser = new NdjsonParser({ maxLineBytes: 1024 });
		expect(parser.push("x".repeat(1025))).toHaveLength(1);
		expect(parser.end()).toEqual([]);
		expect(summary(parser.push('\ufeff{"n":1}\n'))).toEqual([{ n: 1 }]);
	});
});

describe("the cap on a line", () => {
	const options = { maxLineBytes: 1024 };
	const tooLong = `{"t":"${"x".repeat(1020)}"}`;

	it("reports a longer line once and goes on with the next", () => {
		expect(parseEveryWay(`{"n":1}\n${tooLong}\n{"n":2}\n`, options)).toEqual([
			{ kind: "object", value: { n: 1 }, line: '{"n":1}' },
			{ kind: "junk", reason: "too_long", line: tooLong.slice(0, 200) },
			{ kind: "object", value: { n: 2 }, line: '{"n":2}' },
		]);
	});

	it("reports it before the line ends", () => {
		const parser = new NdjsonParser(options);
		expect(summary(parser.push(encoder.encode(tooLong)))).toEqual(["too_long"]);
		expect(summary(parser.push('more of it\n{"n":2}\n'))).toEqual([{ n: 2 }]);
	});

	it("counts UTF-8 bytes, up to and including the cap", () => {
		const wide = "ö🎉€".repeat(100);
		const fill = (bytes: number) => `{"t":"${wide}"}${" ".repeat(bytes - 908)}\n`;
		expect(encoder.encode(fill(1024))).toHaveLength(1025);
		expect(
			summary(parseEveryWay(`${fill(1023)}${fill(1024)}${fill(1025)}{"n":2}`, options)),
		).toEqual([{ t: wide }, { t: wide }, "too_long", { n: 2 }]);
	});

	it("holds for a last line without a newline and for a first line with a byte order mark", () => {
		expect(summary(parseEveryWay(`{"n":1}\n${tooLong}`, options))).toEqual([{ n: 1 }, "too_long"]);
		expect(parseEveryWay(`\ufeff${tooLong}\n`, options)[0]?.line[0]).toBe("{");
	});

	it("is 8 MiB by default", () => {
		const line = (length: number) => `{"t":"${"x".repeat(length - 8)}"}\n`;
		const max = 8 * 1024 * 1024;
		expect(parse([line(max)])[0]?.kind).toBe("object");
		expect(summary(parse([line(max + 1)]))).toEqual(["too_long"]);
		expect(summary(parse([encoder.encode(line(max + 1))]))).toEqual(["too_long"]);
	});

	it("must be at least 1,024", () => {
		expect(() => new NdjsonParser({ maxLineBytes: 1023 })).toThrow(RangeError);
		expect(() => new NdjsonParser({ maxLineBytes: Number.NaN })).toThrow(RangeError);
	});
});

describe("chunks", () => {
	it("may be bytes and text in turns, also inside a line", () => {
		const chunks = ['{"a', encoder.encode('":"ö'), "🎉", encoder.encode('"}\n{"n":'), "2}\n"];
		expect(summary(parse(chunks))).toEqual([{ a: "ö🎉" }, { n: 2 }]);
	});

	it("may be reused by the caller after the call", () => {
		const parser = new NdjsonParser();
		const chunk = encoder.encode('{"n":1');
		parser.push(chunk);
		chunk.fill(0x78);
		expect(summary(parser.push("}\n"))).toEqual([{ n: 1 }]);
	});
});
