import { randomUUID } from "node:crypto";
import { demoPieces } from "@baton/agent/demo";
import type { SimulatedSession } from "./simulated-session";

/** A message of the API, or a pause before the next one. */
export type Step = { type: string; [field: string]: unknown } | Pause;

interface Pause {
	type?: undefined;
	waitMs: number;
}

const WHO = "I am Baton's Agentforce simulator: no Salesforce org is behind me.";

export const GREETING: Step = { type: "Inform", id: randomUUID(), message: `Hello! ${WHO}` };

const HELP = `${WHO} Try:
/stream 50 words every 50ms
count to 20 every 100ms
/wait 3s
/inquire, /confirm
/cite
/retract
/fail, /error
/escalate
/end
My name is Ada.
What is my name?`;

/** What the simulator answers, up to the end of the turn. Lazy: a long text is made as it is sent. */
export function* answerTo(text: string, session: SimulatedSession): Generator<Step> {
	session.messages += 1;
	yield { type: "ProgressIndicator", message: "Thinking…" };
	yield* answer(text.trim(), session);
	yield { type: "EndOfTurn" };
}

function* answer(text: string, session: SimulatedSession): Generator<Step> {
	const pieces = demoPieces(text);
	const first = pieces.next();
	if (!first.done) return yield* stream(text, first.value, pieces);
	const command = COMMANDS[text.split(/\s/)[0]?.toLowerCase() ?? ""];
	if (command) return yield* command(text, session);
	const asked = session.asked;
	session.asked = undefined;
	if (asked === "order") return yield* say(`Order ${text} is on its way.`);
	if (asked === "refund") {
		return yield* say(/^y/i.test(text) ? "Your refund is under way." : "Then I leave it as it is.");
	}
	const name = /\bmy name is (\p{L}+)/iu.exec(text)?.[1];
	if (name) {
		session.name = name;
		return yield* say(`Hello ${name}, nice to meet you!`);
	}
	if (/\bmy name\b/i.test(text)) {
		return yield* say(session.name ? `Your name is ${session.name}.` : "You have not told me.");
	}
	yield* say(`${WHO} You said: “${text}”`);
}

const COMMANDS: Record<string, (text: string, session: SimulatedSession) => Generator<Step>> = {
	*"/help"() {
		yield* say(HELP);
	},
	*"/wait"(text) {
		const [, amount = "1", unit = "s"] = /(\d+(?:\.\d+)?) ?(ms|s)/i.exec(text) ?? [];
		const waitMs = Math.min(Number(amount) * (unit === "s" ? 1_000 : 1), 600_000);
		yield { waitMs };
		yield* say(`I waited ${amount} ${unit}.`);
	},
	*"/inquire"(_, session) {
		session.asked = "order";
		yield { type: "Inquire", id: randomUUID(), message: "What is your order number?" };
	},
	*"/confirm"(_, session) {
		session.asked = "refund";
		yield { type: "Confirm", id: randomUUID(), message: "Shall I refund the order? (yes or no)" };
	},
	*"/cite"() {
		yield* say("Returns are free for 30 days.", [
			{ type: "link", value: "https://example.com/returns", title: "Returns" },
		]);
	},
	*"/retract"() {
		yield* chunks("This is a secret that ");
		yield { type: "ValidationFailureChunk", reason: "PII" };
		yield* say("I cannot tell you that.");
	},
	*"/fail"() {
		yield { type: "Failure", code: "ACTION_FAILED", errors: ["The flow of the simulator failed."] };
	},
	*"/error"() {
		const message = "Internal error of the simulator.";
		yield { type: "Error", httpStatus: 500, message, traceId: randomUUID() };
	},
	*"/escalate"() {
		yield* say("I connect you with a colleague.");
		yield { type: "Escalate", targets: [{ type: "queue", id: "support" }] };
	},
	*"/end"() {
		yield* say("Goodbye.");
		yield { type: "SessionEnded", reason: "AgentEnded" };
	},
};

/** A text as Agentforce says it: in chunks, then whole. */
function* say(message: string, citedReferences: object[] = []): Generator<Step> {
	yield* chunks(message);
	yield inform(message, citedReferences);
}

function* chunks(text: string): Generator<Step> {
	let offset = 0;
	for (const piece of text.match(/\s*\S+\s*/g) ?? []) {
		yield { type: "TextChunk", offset, message: piece };
		offset += piece.length;
	}
}

function* stream(text: string, first: string, rest: Generator<string>): Generator<Step> {
	const [, amount, unit] = /every (\d+(?:\.\d+)?) ?(ms|s)/i.exec(text) ?? [];
	const waitMs = Number(amount ?? 0) * (unit?.toLowerCase() === "s" ? 1_000 : 1);
	let whole = first;
	yield { type: "TextChunk", offset: 0, message: first };
	for (const piece of rest) {
		if (waitMs > 0) yield { waitMs };
		yield { type: "TextChunk", offset: whole.length, message: piece };
		whole += piece;
	}
	yield inform(whole, []);
}

function inform(message: string, citedReferences: object[]): Step {
	return {
		type: "Inform",
		id: randomUUID(),
		message,
		citedReferences,
		planId: randomUUID(),
		feedbackId: randomUUID(),
	};
}
