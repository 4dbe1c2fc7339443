import { describe, expect, it } from "vitest";
import type { LogEvent } from "../console-api";
import { Marks } from "./marks";
import { momentOf } from "./moment";

const run_id = "r1";
const LOG = (
	[
		{ type: "input_admitted", run_id, content: "fill it in" },
		{ type: "init", run_id },
		{ type: "message", run_id, content: "I look" },
		{ type: "snapshot_request", run_id, requestId: "q1" },
		{ type: "input_admitted", run_id: "r2", content: "and then" },
		{ type: "request_answered", requestId: "q1", response: {} },
		{ type: "retract", run_id, up_to: 6 },
		{ type: "recovered", run_id, attempt: 2, policy: "retry" },
		{ type: "message", run_id, content: "again" },
		{ type: "abort_requested", run_id },
		{ type: "result", run_id, status: "aborted" },
		{ type: "init", run_id: "r2" },
		{ type: "result", run_id: "r2", status: "success" },
	] as Omit<LogEvent, "seq">[]
).map((event, index) => ({ ...event, seq: index + 1 })) as LogEvent[];

const at = (seq: number) => {
	const marks = new Marks();
	marks.add(LOG);
	return momentOf(marks.all.slice(0, marks.indexAfter(seq)));
};

describe("a moment of a session", () => {
	it.each([
		[0, { state: "empty" }],
		[1, { state: "queued", said: "fill it in", turnSeq: 1 }],
		[2, { state: "running", attempt: 1 }],
		[4, { state: "waiting" }],
		[5, { state: "waiting", queued: 1, runId: "r1" }],
		[6, { state: "running", textFrom: 1 }],
		[8, { state: "running", attempt: 2, textFrom: 6 }],
		[10, { state: "running", stopAsked: true }],
		[11, { state: "queued", runId: "r2", turnSeq: 5 }],
		[12, { state: "running", runId: "r2", stopAsked: false }],
		[13, { state: "done", runId: "r2", queued: 0 }],
	])("after event %i: %j", (seq, expected) => {
		expect(at(seq)).toMatchObject(expected);
	});

	it("is the same, in whichever order the events came", () => {
		const marks = new Marks();
		marks.add(LOG.slice(8));
		marks.add(LOG.slice(0, 10));
		expect(marks.all.map(({ seq }) => seq)).toEqual([1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13]);
		expect(momentOf(marks.all)).toEqual(at(13));
	});

	it("is told of a turn whose beginning is no longer kept", () => {
		const marks = new Marks();
		marks.add(LOG.slice(8, 11));
		expect(momentOf(marks.all)).toMatchObject({ state: "stopped", turnSeq: 0 });
	});
});
