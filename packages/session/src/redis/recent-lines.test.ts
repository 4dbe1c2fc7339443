import { describe, expect, it } from "vitest";
import { RecentLines } from "./recent-lines";

const push = (first: number, ...lines: string[]) => ({
	epoch: "w.0",
	pushed: { first, lines, mark: `m${first}` },
});

describe("recent lines", () => {
	it("are known from where they began to their end", () => {
		const recent = new RecentLines();
		recent.put(push(4, "d"), true);
		recent.put(push(5, "e", "f"), false);
		expect(recent.after(2)).toBeNull();
		expect(recent.after(3)).toEqual({
			lines: ["d", "e", "f"],
			marks: ["m4", "m5", "m5"],
			epoch: "w.0",
		});
		expect(recent.after(6)).toEqual({ lines: [], marks: [], epoch: "w.0" });
		expect(recent.after(7)).toBeNull();
	});

	it("begin where nothing can have been missed, and nowhere else", () => {
		const recent = new RecentLines();
		recent.put(push(1, "a"), false);
		expect(recent.after(0)).toBeNull();
	});

	it("are forgotten at a gap, at another epoch, and when something may have been missed", () => {
		const recent = new RecentLines();
		recent.put(push(1, "a"), true);
		recent.put(push(3, "c"), false);
		expect(recent.after(0)).toBeNull();
		recent.put(push(4, "d"), true);
		recent.put({ ...push(5, "e"), epoch: "w.1" }, false);
		expect(recent.after(3)).toBeNull();
		recent.put(push(6, "f"), true);
		recent.put({}, true);
		expect(recent.after(5)).toBeNull();
		recent.put(push(7, "g"), true);
		recent.put({ verify: true }, true);
		expect(recent.after(6)).toBeNull();
	});

	it("are few and short", () => {
		const recent = new RecentLines();
		recent.put(push(1, "a"), true);
		recent.put(push(2, ...Array.from({ length: 256 }, () => "x")), false);
		expect(recent.after(1)).toBeNull();
		recent.put(push(258, "x".repeat(70_000)), true);
		expect(recent.after(257)).toBeNull();
	});
});
