import { describe, expect, it } from "vitest";
import { type DemoCommand, demoPieces, MAX_DEMO_WORDS, parseCommand } from "./commands";

describe("parseCommand", () => {
	it.each<[string, DemoCommand | null]>([
		["/stream 500 words every 20ms", { kind: "stream", words: 500, everyMs: 20 }],
		["/stream 3 words", { kind: "stream", words: 3, everyMs: 0 }],
		["  /stream 3   every 1.5 s ", { kind: "stream", words: 3, everyMs: 1500 }],
		["/stream 99999999 words", { kind: "stream", words: MAX_DEMO_WORDS, everyMs: 0 }],
		["count to 1000 every 5 ms", { kind: "count", to: 1000, everyMs: 5 }],
		["Please count to 10.", { kind: "count", to: 10, everyMs: 0 }],
		["/wait 5s", { kind: "wait", ms: 5000 }],
		["/wait 100h", { kind: "help" }],
		["/tool one two", { kind: "tool", text: "one two" }],
		["/fail out of luck", { kind: "fail", reason: "out of luck" }],
		["/fail", { kind: "fail", reason: "You asked me to fail." }],
		["/help", { kind: "help" }],
		["/nonsense", { kind: "help" }],
		["hello", null],
		["I can count to 10 every day", null],
	])("%s", (message, command) => {
		expect(parseCommand(message)).toEqual(command);
	});
});

describe("demoPieces", () => {
	it.each([
		["/stream 3 words", ["w1 ", "w2 ", "w3"]],
		["count to 2 every 5ms", ["1 ", "2"]],
		["/stream 0 words", []],
		["hello", []],
	])("%s", (message, pieces) => {
		expect([...demoPieces(message)]).toEqual(pieces);
	});
});
