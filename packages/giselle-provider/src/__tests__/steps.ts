import type { FakeRun, FakeStep } from "../testing";

/** Steps of a scripted agent. */

export const init = ({ sessionId }: FakeRun): FakeStep => ({
	type: "init",
	session_id: sessionId,
	model: "fake-1",
});

export const say = (...words: string[]): FakeStep[] =>
	words.map((content) => ({ type: "message", role: "assistant", content, delta: true }));

export const ask = (requestId: string, more: Record<string, unknown> = {}): FakeStep => ({
	type: "snapshot_request",
	requestId,
	instruction: "Read the form",
	...more,
});

export const done: FakeStep = {
	type: "result",
	status: "success",
	stats: { input_tokens: 7, output_tokens: 3, cached: 2, input: 5 },
};
