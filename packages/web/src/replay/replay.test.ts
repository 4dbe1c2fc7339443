import { describe, expect, it } from "vitest";
import type { Line } from "../agent-api/line";
import { turnKey } from "../chat/message-ids";
import { historyOf } from "./history";
import { TurnChunks } from "./turn-chunks";

/** Lines of a log, numbered from 1. */
const log = (...lines: Record<string, unknown>[]): Line[] =>
	lines.map((line, index) => ({ seq: index + 1, run_id: "r1", ...line }) as Line);
const said = (content: string, more: Record<string, unknown> = {}) => ({
	type: "input_admitted",
	content,
	idempotency_key: "m1",
	...more,
});
const word = (content: string, more: Record<string, unknown> = {}) => ({
	type: "message",
	role: "assistant",
	content,
	delta: true,
	...more,
});
const asked = (requestId = "q1") => ({
	type: "snapshot_request",
	requestId,
	instruction: "Read",
});
const answered = (requestId = "q1") => ({
	type: "request_answered",
	requestId,
	response: { type: "snapshot_response", requestId, fields: [] },
});
const done = { type: "result", status: "success" };

/** The chunks of a turn, as a page whose claim is "mine" reads them. */
function chunksOf(lines: Line[]) {
	const chunks = new TurnChunks({ messageId: "reply-m1", claimId: "mine" });
	const told = [...chunks.start(), ...lines.flatMap((line) => chunks.feed(line))];
	const all = chunks.isAsking ? [...told, ...chunks.ask()] : told;
	return { types: all.map(({ type }) => type), all, chunks };
}

describe("a turn as chunks", () => {
	it("has the ids that the log gives it", () => {
		const { all } = chunksOf(log(said("hi"), word("Hel"), word("lo"), done));
		expect(all).toEqual([
			{ type: "start", messageId: "reply-m1" },
			{ type: "start-step" },
			{ type: "text-start", id: "text-2" },
			{ type: "text-delta", id: "text-2", delta: "Hel" },
			{ type: "text-delta", id: "text-2", delta: "lo" },
			{ type: "text-end", id: "text-2" },
			{ type: "finish-step" },
			{ type: "finish", finishReason: "stop", messageMetadata: {} },
		]);
	});

	it("asks the page for what waits, and ends until it has answered", () => {
		const { types, chunks } = chunksOf(log(said("hi"), word("Let me see. "), asked()));
		expect(types.slice(-4)).toEqual(["text-end", "tool-input-available", "finish-step", "finish"]);
		expect(chunks.isOver).toBe(true);
	});

	it("shows an answered call without asking for it, and goes on in a step of its own", () => {
		const { types } = chunksOf(log(said("hi"), asked(), answered(), word("Done."), done));
		expect(types).not.toContain("tool-input-available");
		expect(types.slice(2, 9)).toEqual([
			"tool-input-start",
			"tool-input-delta",
			"tool-output-available",
			"finish-step",
			"start-step",
			"text-start",
			"text-delta",
		]);
	});

	it("stays open over a call that another page has claimed", () => {
		const claimed = { type: "request_claimed", requestId: "q1", claimId: "theirs" };
		const { types, chunks } = chunksOf(log(said("hi"), asked(), claimed));
		expect(types).toEqual(["start", "start-step", "tool-input-start", "tool-input-delta"]);
		expect(chunks.isOver).toBe(false);
		expect(chunks.feed(log(answered())[0]!).map(({ type }) => type)).toEqual([
			"tool-output-available",
			"finish-step",
			"start-step",
		]);
	});

	it("asks again for a call that this page has claimed", () => {
		const claimed = { type: "request_claimed", requestId: "q1", claimId: "mine" };
		expect(chunksOf(log(said("hi"), asked(), claimed)).chunks.isOver).toBe(true);
	});

	it.each([
		[{ type: "request_closed", requestId: "q1", reason: "aborted" }, "It was stopped."],
		[
			{
				type: "request_answered",
				requestId: "q1",
				response: { type: "error_response", requestId: "q1", message: "No form." },
			},
			"No form.",
		],
	])("tells why a call has no result", (end, errorText) => {
		const { all } = chunksOf(log(said("hi"), asked(), end, done));
		expect(all).toContainEqual({ type: "tool-output-error", toolCallId: "q1", errorText });
	});

	it("shows the agent's own tools once, as done by the agent", () => {
		const use = { type: "tool_use", tool_id: "t1", tool_name: "ls", parameters: { path: "." } };
		const result = { type: "tool_result", tool_id: "t1", status: "success", output: "a b" };
		const { all } = chunksOf(log(said("hi"), use, use, result, result, done));
		const own = { toolCallId: "t1", providerExecuted: true, dynamic: true };
		expect(all.filter((chunk) => "toolCallId" in chunk)).toEqual([
			{ type: "tool-input-available", ...own, toolName: "ls", input: { path: "." } },
			{ type: "tool-output-available", ...own, output: "a b" },
		]);
	});
});

describe("the history of a chat", () => {
	it("has each turn with its ids, and of a turn that runs what the person said", async () => {
		const { messages, isRunning } = await historyOf([
			...log(said("hi"), word("Hel"), word("lo"), done),
			...log(said("more", { run_id: "r2", idempotency_key: "m2", seq: 5 })),
		]);
		expect(isRunning).toBe(true);
		expect(messages.map(({ id, role }) => [id, role])).toEqual([
			["m1", "user"],
			["reply-m1", "assistant"],
			["m2", "user"],
		]);
		expect(messages[1]?.parts).toEqual([
			{ type: "step-start" },
			{ type: "text", text: "Hello", state: "done" },
		]);
	});

	it("leaves out what was withdrawn", async () => {
		const lines = log(said("hi"), word("Wro"), { type: "retract", up_to: 2 }, word("Right"), done);
		const { messages } = await historyOf(lines);
		expect(messages[1]?.parts).toContainEqual({ type: "text", text: "Right", state: "done" });
		expect(JSON.stringify(messages)).not.toContain("Wro");
	});

	it("shows what was said again once, with its last reply", async () => {
		const failed = { type: "result", status: "error", error: { message: "No." } };
		const again = { run_id: "r2", idempotency_key: turnKey("m1", "again") };
		const lines = log(said("hi"), failed, said("hi", again), word("Yes.", again), {
			...done,
			run_id: "r2",
		});
		const { messages } = await historyOf(lines);
		expect(messages.map(({ id }) => id)).toEqual(["m1", "reply-m1#retry:again"]);
	});

	it("shows each turn that came by A2A as one of its own, whatever its key looks like", async () => {
		const turn = (n: number) => {
			const of = { run_id: `r${n}`, idempotency_key: `a2a:message-${n}` };
			return [said(`hi ${n}`, of), word("Hello.", of), { ...done, run_id: `r${n}` }];
		};
		const { messages } = await historyOf(log(...turn(1), ...turn(2)));
		expect(messages.map(({ id }) => id)).toEqual([
			"a2a:message-1",
			"reply-a2a:message-1",
			"a2a:message-2",
			"reply-a2a:message-2",
		]);
	});

	it("says how a turn failed", async () => {
		const failed = { type: "result", status: "error", error: { message: "No key." } };
		const { messages } = await historyOf(log(said("hi"), failed));
		expect(messages[1]?.metadata).toEqual({ status: "error", error: "No key." });
	});

	it("has the text of turns whose events are no longer kept, each once", async () => {
		const reset = {
			type: "reset",
			first: 10,
			messages: [
				{ role: "user", content: "old", run_id: "r0" },
				{ role: "assistant", content: "Old.", run_id: "r0" },
				{ role: "user", content: "hi", run_id: "r1" },
			],
		};
		const { messages } = await historyOf([reset as Line, ...log(said("hi"), word("New."), done)]);
		expect(messages.map(({ parts }) => parts.find((part) => part.type === "text")?.text)).toEqual([
			"old",
			"Old.",
			"hi",
			"New.",
		]);
	});
});
