import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { geminiArguments } from "./gemini-arguments";
import { mapGeminiLine } from "./map-gemini-line";

const fixtures = new URL("../../../../protocol/fixtures/", import.meta.url);

describe("the output of the Gemini CLI", () => {
	it.each(readdirSync(fixtures).filter((name) => name.startsWith("gemini-cli")))("%s", (name) => {
		const lines = readFileSync(new URL(name, fixtures), "utf8").trim().split("\n");
		const signals = lines.flatMap((line) => mapGeminiLine(JSON.parse(line)));
		expect(signals[0]).toMatchObject({ kind: "session", model: "gemini-2.5-flash" });
		expect(signals.at(-1)).toMatchObject({ kind: "success", stats: { total_tokens: 30 } });
		const types = signals.map((signal) =>
			signal.kind === "event" ? signal.event.type : signal.kind,
		);
		expect(types).toEqual([
			...["session", "message", "tool_use", "tool_result", "message", "message", "success"],
		]);
	});

	it("passes on what it does not know, and nothing that is not an agent's to say", () => {
		const later = { type: "later.version", x: 1 };
		expect(mapGeminiLine(later)).toEqual([{ kind: "event", event: later }]);
		const forged = { type: "snapshot_request", requestId: "r", instruction: "i" };
		expect(mapGeminiLine(forged)).toEqual([]);
		expect(mapGeminiLine({ type: "retract", run_id: "r", up_to: 9 })).toEqual([]);
	});

	it("says which line is wrong", () => {
		expect(mapGeminiLine({ type: "message", role: "robot", content: "x" })).toMatchObject([
			{ event: { type: "error", severity: "warning", message: expect.stringContaining("role") } },
		]);
	});

	it("gives the reason of a failure", () => {
		const line = { type: "result", status: "error", error: { message: "quota" } };
		expect(mapGeminiLine(line)).toEqual([{ kind: "failure", message: "quota" }]);
	});
});

describe("how gemini is called", () => {
	it("resumes a session with a model, the prompt not among its arguments", () => {
		expect(geminiArguments({ home: "/h", model: "m", resume: "s" })).toEqual([
			...["-o", "stream-json", "--approval-mode", "yolo", "--skip-trust"],
			...["-m", "m", "--resume", "s"],
		]);
	});
});
