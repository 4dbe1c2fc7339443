import type { UIMessageChunk } from "ai";
import { describe, expect, it } from "vitest";
import { isConnectionError } from "./connection-error";
import { wholeStream } from "./whole-stream";

const START: UIMessageChunk = { type: "start", messageId: "m" };
const STEP: UIMessageChunk = { type: "start-step" };
const TEXT: UIMessageChunk = { type: "text-start", id: "t" };
const FINISH: UIMessageChunk = { type: "finish" };

/** A stream that is written to by the test, and what has come through so far. */
function opened() {
	const { readable, writable } = new TransformStream<UIMessageChunk, UIMessageChunk>();
	const writer = writable.getWriter();
	const heard: string[] = [];
	const whole = wholeStream(readable, {
		onStep: () => heard.push("step"),
		onReply: () => heard.push("reply"),
	});
	const got: UIMessageChunk[] = [];
	const reading = (async () => {
		for await (const chunk of whole) got.push(chunk);
	})();
	reading.catch(() => {});
	/** Writes, and waits until all that follows from it has happened. */
	const say = async (chunk: UIMessageChunk) => {
		await writer.write(chunk);
		await new Promise((resolve) => setTimeout(resolve));
	};
	return { say, got, heard, reading, end: () => writer.close() };
}

describe("a stream of a reply", () => {
	it("begins with the first thing that the agent says, and not before", async () => {
		const { say, got, heard, reading, end } = opened();
		await say(START);
		await say(STEP);
		expect(got).toEqual([]);
		expect(heard).toEqual(["step"]);
		await say(TEXT);
		expect(got).toEqual([START, STEP, TEXT]);
		expect(heard).toEqual(["step", "reply"]);
		await say(STEP);
		expect(got.at(-1)).toEqual(STEP);
		await say(FINISH);
		await end();
		await reading;
		expect(got).toEqual([START, STEP, TEXT, STEP, FINISH]);
		expect(heard).toEqual(["step", "reply"]);
	});

	it("is whole when the agent had nothing to say", async () => {
		const { say, got, reading, end } = opened();
		for (const chunk of [START, STEP, FINISH]) await say(chunk);
		await end();
		await reading;
		expect(got).toEqual([START, STEP, FINISH]);
	});

	it.each([[[START]], [[START, STEP]], [[START, STEP, TEXT]]])(
		"fails when it ends after %j",
		async (chunks) => {
			const { say, heard, reading, end } = opened();
			for (const chunk of chunks) await say(chunk);
			await end();
			await expect(reading).rejects.toSatisfy(isConnectionError);
			expect(heard.includes("reply")).toBe(chunks.includes(TEXT));
		},
	);
});
