import { parseEvent } from "@baton/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Answer } from "../../src/agentforce/answer";

type Message = Parameters<Answer["take"]>[0];

const chunk = (message: string): Message => ({ type: "TextChunk", message }) as Message;
const whole = (type: string, message: string, more = {}): Message =>
	({ type, message, ...more }) as Message;
const bad: Message = { type: "ValidationFailureChunk", reason: "PII" } as Message;
const end: Message = { type: "EndOfTurn" } as Message;

function play(...messages: Message[]) {
	const answer = new Answer();
	return { answer, events: messages.flatMap((message) => answer.take(message)) };
}

/** What a door shows: deltas joined, messages of their own as paragraphs, nothing that was retracted. */
function shown(events: readonly Record<string, unknown>[]): string {
	let text = "";
	for (const { type, content, delta } of events) {
		if (type === "retract") text = "";
		if (type === "message") text = delta || text === "" ? text + content : `${text}\n\n${content}`;
	}
	return text;
}

describe("an answer of Agentforce", () => {
	it("in the usual order is its chunks, each as it comes", () => {
		const { answer, events } = play(
			whole("ProgressIndicator", "Thinking"),
			chunk("Hel"),
			chunk("lo"),
			whole("Inform", "Hello", { planId: "p1", feedbackId: "f1" }),
			end,
		);
		expect(events).toEqual([
			{ type: "progress", message: "Thinking" },
			{ type: "message", role: "assistant", content: "Hel", delta: true },
			{ type: "message", role: "assistant", content: "lo", delta: true },
		]);
		expect(answer).toMatchObject({ hasEnded: true, planId: "p1", feedbackId: "f1", text: "Hello" });
	});

	it("without chunks is the whole message", () => {
		expect(shown(play(whole("Inform", "Hello"), end).events)).toBe("Hello");
	});

	it("is what Inform says where chunks are missing at the end", () => {
		const { events } = play(chunk("Hel"), whole("Inform", "Hello"), end);
		expect(events.map(({ type }) => type)).toEqual(["message", "message"]);
		expect(shown(events)).toBe("Hello");
	});

	it("is what Inform says where chunks say something else", () => {
		const { events } = play(chunk("Good bye"), whole("Inform", "Hello"), end);
		expect(events.map(({ type }) => type)).toEqual(["message", "retract", "message"]);
		expect(shown(events)).toBe("Hello");
	});

	it("shows no chunk that came after its Inform a second time", () => {
		const late = ["Hel", "lo ", "you"].map(chunk);
		const { answer, events } = play(whole("Inform", "Hello you"), ...late, end);
		expect(shown(events)).toBe("Hello you");
		expect(answer.text).toBe("Hello you");
	});

	it("takes back the chunks that failed validation, and nothing before them", () => {
		const { events } = play(
			whole("Inform", "First.", { citedReferences: [{ value: "a" }] }),
			chunk("A secret"),
			bad,
			whole("Inform", "I cannot say."),
			end,
		);
		expect(events.map(({ type }) => type)).toEqual([
			"message",
			"citations",
			"message",
			"retract",
			"message",
			"citations",
			"message",
		]);
		expect(shown(events)).toBe("First.\n\nI cannot say.");
	});

	it("takes back nothing where nothing was shown", () => {
		expect(play(bad, whole("Inform", "Hello")).events.map(({ type }) => type)).toEqual(["message"]);
	});

	it("with sources tells them after the text", () => {
		const citedReferences = [{ type: "link", value: "https://example.com" }];
		expect(play(whole("Inform", "Hello", { citedReferences })).events[1]).toEqual({
			type: "citations",
			references: citedReferences,
		});
	});

	it.each([
		["Inquire", "inquire"],
		["Confirm", "confirm"],
	])("%s wants input", (type, reason) => {
		const { answer, events } = play(whole(type, "Which order?", { id: "q1" }), end);
		expect(events).toEqual([
			{ type: "message", role: "assistant", content: "Which order?", delta: true },
			{ type: "input_required", reason },
		]);
		expect(answer.question).toEqual({ id: "q1" });
	});

	it("is handed over, or ends its session, in events of their own", () => {
		const { answer, events } = play(
			{ type: "Escalate", targets: [{ id: "queue" }] } as Message,
			{ type: "SessionEnded", reason: "Transfer" } as Message,
		);
		expect(events).toEqual([
			{ type: "escalated", targets: [{ id: "queue" }] },
			{ type: "agent_session_ended", reason: "Transfer" },
		]);
		expect(answer).toMatchObject({ isEscalated: true, isComplete: true, hasEnded: false });
	});

	it("fails with its code, and keeps the words for the log", () => {
		const failure = { type: "Failure", code: "X1", errors: ["inner words"] } as Message;
		expect(play(failure).answer.failure).toEqual({ code: "X1", details: '["inner words"]' });
		const error = { type: "Error", httpStatus: 500, message: "boom", traceId: "t" } as Message;
		expect(play(error).answer.failure).toEqual({ code: "500", details: "t boom" });
		expect(play(failure).events).toEqual([]);
	});

	it("passes on what it does not know", () => {
		const unknown = { type: "Sparkle", shine: 3 } as unknown as Message;
		expect(play(unknown).events).toEqual([{ type: "agentforce_message", message: unknown }]);
	});

	it("in any order shows exactly the whole messages, by events of the protocol", () => {
		const words = fc.string({ minLength: 1, maxLength: 8 });
		const part = fc.oneof(
			words.map(chunk),
			fc.constant(bad),
			fc
				.tuple(fc.constantFrom("Inform", "Inquire", "Confirm", "Escalate"), words)
				.map(([type, message]) => whole(type, message)),
			words.map((message) => whole("ProgressIndicator", message)),
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 12 }), words, (parts, last) => {
				const { answer, events } = play(...parts, whole("Inform", last), end);
				const complete = [...parts, whole("Inform", last)]
					.filter(({ type }) => /^(Inform|Inquire|Confirm|Escalate)$/.test(type))
					.map(({ message }) => message);
				expect(shown(events)).toBe(complete.join("\n\n"));
				expect(answer.text).toBe(shown(events));
				for (const event of events) {
					// The turn writes up to where a retraction goes.
					const stored = event.type === "retract" ? { ...event, run_id: "u", up_to: 1 } : event;
					expect(parseEvent(stored).kind).toBe("event");
				}
			}),
			{ numRuns: process.env.BATON_FULL ? 5_000 : 500 },
		);
	});
});
