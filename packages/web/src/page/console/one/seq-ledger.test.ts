import { describe, expect, it } from "vitest";
import { SeqLedger } from "./seq-ledger";

/** Receives a stretch of numbers, as a page or a stream brings them. */
function receive(ledger: SeqLedger, after: number, seqs: number[], last?: number) {
	let before = after;
	for (const seq of seqs) {
		ledger.receive(seq, before);
		before = Math.max(before, seq);
	}
	if (last !== undefined) ledger.finish(before, last);
}
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("SeqLedger", () => {
	it("finds nothing wrong with numbers that count up, however they were divided", () => {
		const ledger = new SeqLedger();
		receive(ledger, 40, range(41, 60), 60);
		receive(ledger, 0, range(1, 20), 20);
		receive(ledger, 60, range(61, 61));
		expect(ledger.countIn(1, 61)).toBe(41);
		receive(ledger, 20, range(21, 40), 40);
		// A page that was forgotten and read again is no repeat.
		receive(ledger, 0, range(1, 20), 20);
		expect(ledger.countIn(1, 61)).toBe(61);
		expect(ledger.countIn(55, 58)).toBe(4);
		expect(ledger.problems).toEqual([]);
	});

	it("tells what is missing within a stretch, and at its end", () => {
		const ledger = new SeqLedger();
		receive(ledger, 0, [1, 2, 5], 7);
		expect(ledger.problems).toEqual([
			{ kind: "missing", from: 3, to: 4 },
			{ kind: "missing", from: 6, to: 7 },
		]);
		expect(ledger.countIn(1, 7)).toBe(3);
	});

	it("tells what came again, or too late", () => {
		const ledger = new SeqLedger();
		receive(ledger, 4, [5, 5, 6, 4, 7]);
		expect(ledger.problems).toEqual([
			{ kind: "repeated", from: 5, to: 5 },
			{ kind: "repeated", from: 4, to: 4 },
		]);
		expect(ledger.countIn(1, 7)).toBe(3);
	});

	it("says a thing once", () => {
		const ledger = new SeqLedger();
		receive(ledger, 0, [2]);
		receive(ledger, 0, [2]);
		expect(ledger.problems).toHaveLength(1);
	});
});
