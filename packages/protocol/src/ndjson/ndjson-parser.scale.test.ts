import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { encodeNdjson } from "./encode-ndjson";
import type { NdjsonItem } from "./ndjson-item";
import { NdjsonParser } from "./ndjson-parser";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const encoder = new TextEncoder();
const MB = 1024 * 1024;

/** Memory in use after a collection, on the heap and in buffers. */
function usedMemory(): number {
	collectGarbage();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}

/** Buffers are freed some time after the collection that found them unused. */
async function expectGrowthBelow(limit: number, before: number): Promise<void> {
	await vi.waitFor(() => expect(usedMemory() - before).toBeLessThan(limit), { timeout: 5000 });
}

describe("long lines", () => {
	const content = "0123456789".repeat(MB);
	const line = encoder.encode(encodeNdjson({ content }));

	function pushInReads(parser: NdjsonParser, bytes: Uint8Array): NdjsonItem[] {
		const items: NdjsonItem[] = [];
		for (let at = 0; at < bytes.length; at += 16 * 1024) {
			items.push(...parser.push(bytes.subarray(at, at + 16 * 1024)));
		}
		return items;
	}

	it("a line of 10 MB is read whole under a larger cap", () => {
		const items = pushInReads(new NdjsonParser({ maxLineBytes: 16 * MB }), line);
		expect(items.map((item) => "value" in item && item.value.content === content)).toEqual([true]);
	});

	it("a line of 10 MB is reported under the default cap, and the next line is read", () => {
		const parser = new NdjsonParser();
		const items = [...pushInReads(parser, line), ...parser.push('{"n":2}\n')];
		expect(items).toEqual([
			{ kind: "junk", reason: "too_long", line: `{"content":"${content}`.slice(0, 200) },
			{ kind: "object", value: { n: 2 }, line: '{"n":2}' },
		]);
	});

	it("a line without an end is not held in memory", async () => {
		const parser = new NdjsonParser();
		const read = new Uint8Array(64 * 1024).fill(0x78);
		const before = usedMemory();
		for (let sent = 0; sent < 256 * MB; sent += read.length) parser.push(read);
		await expectGrowthBelow(2 * MB, before);
		expect(parser.push('\n{"n":2}\n')).toHaveLength(1);
	});

	it("a report of a refused line does not keep the line in memory", async () => {
		const parser = new NdjsonParser();
		const before = usedMemory();
		const kept = Array.from({ length: 10 }, () => parser.push("y".repeat(10 * MB).concat("\n")));
		await expectGrowthBelow(5 * MB, before);
		expect(kept.flat()).toHaveLength(10);
	});
});

describe("many events", () => {
	it("a million events pass with flat memory", async () => {
		const parser = new NdjsonParser();
		const block = encoder.encode(
			Array.from({ length: 100 }, (_, n) =>
				encodeNdjson({ type: "message", role: "assistant", content: `wörld ${n} 🎉`, delta: true }),
			).join(""),
		);
		let events = 0;
		// Reads that never end where a line does.
		const size = 1021;
		const passBlocks = (count: number) => {
			for (let i = 0; i < count; i++) {
				for (let at = 0; at < block.length; at += size) {
					events += parser.push(block.subarray(at, at + size)).length;
				}
			}
		};
		passBlocks(100);
		const before = usedMemory();
		for (let part = 0; part < 10; part++) {
			passBlocks(990);
			await expectGrowthBelow(8 * MB, before);
		}
		expect(events).toBe(1_000_000);
	});
});

describe("tiny reads", () => {
	// Quadratic work would be 5 × 10¹¹ steps here and run into the time limit of the test.
	const text = encodeNdjson({ content: "x".repeat(MB) });

	it("one byte per read stays linear", () => {
		const parser = new NdjsonParser();
		let items = 0;
		for (const byte of encoder.encode(text)) items += parser.push(Uint8Array.of(byte)).length;
		expect(items).toBe(1);
	});

	it("one character of text per read stays linear", () => {
		const parser = new NdjsonParser();
		let items = 0;
		for (let at = 0; at < text.length; at++) items += parser.push(text.charAt(at)).length;
		expect(items).toBe(1);
	});
});
