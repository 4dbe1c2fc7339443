import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { GatewayClient, GatewayEvent } from "@baton/gateway/client";
import { beforeEach, describe, expect, it } from "vitest";
import { AnswerView } from "./answer-view";
import { Conversation, describeSession } from "./conversation";
import { Screen } from "./screen";

/** Sets a title, clears the screen, goes back over the line: by C0 and by C1 controls. */
const NASTY = "a\u001b]0;owned\u0007b\u009b2Jc\rd\u007f\b\n\te";
const SHOWN = "a]0;ownedb2Jcd\n\te";

let output: PassThrough;
let screen: Screen;
let view: AnswerView;
beforeEach(() => {
	output = new PassThrough();
	// Without colours of its own.
	screen = new Screen(output, false);
	view = new AnswerView(screen);
});

const written = () => String(output.read());
const of = { sessionKey: "s", runId: "r", seq: 1 };

describe("text of others is shown without what steers a terminal", () => {
	it.each<GatewayEvent>([
		{ event: "chat.delta", data: { text: NASTY, ...of } },
		{ event: "chat.message", data: { role: "user", content: NASTY, timestamp: 1, ...of } },
		{ event: "chat.tool", data: { phase: "start", toolId: "t", toolName: NASTY, ...of } },
		{ event: "chat.error", data: { message: NASTY, code: "x", retryable: false, ...of } },
		{
			event: "chat.final",
			data: { usage: { inputTokens: 0, outputTokens: 0 }, notice: NASTY, ...of },
		},
	])("in $event", (event) => {
		view.take(event);
		const text = written();
		expect(text).toContain(SHOWN);
		expect(stripVTControlCharacters(text)).toBe(text);
	});

	it("in the history and in the list of sessions", () => {
		const conversation = new Conversation({} as GatewayClient, screen, view, () => {});
		conversation.showMessages([
			{ role: "user", content: NASTY, timestamp: 1 },
			{ role: "assistant", content: NASTY, timestamp: 1, error: NASTY },
		]);
		expect(written().split(SHOWN)).toHaveLength(4);
		const session = { key: "k", agentId: "main", createdAt: 1, updatedAt: 1, label: NASTY };
		expect(describeSession(session)).toContain(SHOWN);
	});
});

describe("an answer whose server was lost", () => {
	const recovered = (policy: string): GatewayEvent => ({
		event: "chat.recovered",
		data: { attempt: 2, policy, ...of },
	});

	it("begins again once it was taken back", () => {
		view.take({ event: "chat.retract", data: { reason: "retry", ...of } });
		view.take(recovered("retry"));
		const text = written();
		expect(text).toMatch(/\(taken back\)\s+\(the server was lost; the answer begins again\)/);
		expect(text).not.toContain("goes on");
	});

	it("goes on where its agent can", () => {
		view.take(recovered("resume"));
		const text = written();
		expect(text).toContain("(the server was lost; the answer goes on)");
		expect(text).not.toContain("begins again");
	});
});
