import { describe, expect, it } from "vitest";
import { FollowText } from "./follow-text";

const WORD = { seq: 1, type: "message", role: "assistant", content: "one ", delta: true };

describe("an answer whose process was lost", () => {
	it("begins again once it was taken back", () => {
		const text = new FollowText();
		const lines = [WORD, { seq: 2, type: "retract" }, recovered("retry"), WORD];
		expect(lines.map((line) => text.of(line)).join("")).toBe(
			"one \n  (takes that back)\n  (its process was lost; the answer begins again)\none ",
		);
	});

	it("goes on where its agent can", () => {
		const text = new FollowText();
		const lines = [WORD, recovered("resume"), WORD];
		expect(lines.map((line) => text.of(line)).join("")).toBe(
			"one \n  (its process was lost; the answer goes on)\none ",
		);
	});
});

function recovered(policy: string) {
	return { seq: 3, type: "recovered", policy };
}
