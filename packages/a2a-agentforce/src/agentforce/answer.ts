import type { AgentEvent } from "@baton/agent";
import type { AgentforceMessage } from "./agentforce-message";

/** A message that is complete: an Inform, Inquire, Confirm or Escalate with text. */
interface Said {
	text: string;
	references: Record<string, unknown>[];
}

/**
 * One answer of Agentforce, from its messages to the events of a turn. Pure: the same messages give
 * the same events. Chunks are shown as they come; the whole message that follows them is right, and
 * where the two differ, what was shown is taken back.
 */
export class Answer {
	/** Complete messages, in order: said again after something was taken back. */
	readonly #said: Said[] = [];
	/** What was shown of a message that is not complete. */
	#open = "";
	/** Chunks that repeat the last complete message, for they came after it. */
	#late = "";
	#hasEnded = false;
	failure: { code: string; details: string } | null = null;
	/** The id of the question that the next message answers. */
	question: { id: string | undefined } | null = null;
	isEscalated = false;
	sessionEnded: { reason: string } | null = null;
	planId: string | undefined;
	feedbackId: string | undefined;

	/** Whether Agentforce has said all that it has to say. */
	get hasEnded(): boolean {
		return this.#hasEnded;
	}

	/** Whether there is something to show for it, should the end be missing. */
	get isComplete(): boolean {
		return (
			this.#hasEnded || this.#said.length > 0 || this.sessionEnded !== null || this.isEscalated
		);
	}

	/** Everything that was said and not taken back. */
	get text(): string {
		return [...this.#said.map(({ text }) => text), this.#open].filter(Boolean).join("\n\n");
	}

	take(message: AgentforceMessage): AgentEvent[] {
		switch (message.type) {
			case "ProgressIndicator":
				return message.message ? [{ type: "progress", message: message.message }] : [];
			case "TextChunk":
				return this.#chunk(message.message ?? "");
			case "ValidationFailureChunk":
				return this.#takeBack("validation");
			case "Inform":
				this.planId = message.planId ?? this.planId;
				this.feedbackId = message.feedbackId ?? this.feedbackId;
				return this.#whole(message);
			case "Inquire":
			case "Confirm":
				this.question = { id: message.id };
				return [
					...this.#whole(message),
					{ type: "input_required", reason: message.type.toLowerCase() },
				];
			case "Escalate":
				this.isEscalated = true;
				return [...this.#whole(message), { type: "escalated", targets: message.targets ?? [] }];
			case "SessionEnded":
				this.sessionEnded = { reason: message.reason ?? "" };
				return [{ type: "agent_session_ended", ...(message.reason && { reason: message.reason }) }];
			case "Failure":
				this.#fail(message.code ?? "failure", JSON.stringify(message.errors ?? []));
				return [];
			case "Error":
				this.#fail(String(message.httpStatus ?? "error"), `${message.traceId} ${message.message}`);
				return [];
			case "EndOfTurn":
				this.#hasEnded = true;
				return [];
			default:
				// Of a later version of the API: whoever knows it may use it.
				return [{ type: "agentforce_message", message }];
		}
	}

	#chunk(text: string): AgentEvent[] {
		if (text === "") return [];
		const last = this.#said.at(-1)?.text;
		if (this.#open === "" && last?.startsWith(this.#late + text)) {
			this.#late += text;
			return [];
		}
		const shown = this.#open === "" ? this.#late + text : text;
		const continues = this.#open !== "" || this.#said.length === 0;
		this.#late = "";
		this.#open += shown;
		return [sentence(shown, continues)];
	}

	#whole({ message = "", citedReferences = [] }: AgentforceMessage): AgentEvent[] {
		const events: AgentEvent[] = [];
		if (message !== "" && !message.startsWith(this.#open)) {
			events.push(...this.#takeBack("corrected"));
		}
		const text = message || this.#open;
		const rest = text.slice(this.#open.length);
		if (rest) events.push(sentence(rest, this.#open !== "" || this.#said.length === 0));
		if (citedReferences.length > 0) {
			events.push({ type: "citations", references: citedReferences });
		}
		if (text) this.#said.push({ text, references: citedReferences });
		this.#open = "";
		this.#late = "";
		return events;
	}

	/** Withdraws what is not complete. All of the turn goes with it, so the rest is said again. */
	#takeBack(reason: string): AgentEvent[] {
		if (this.#open === "") return [];
		this.#open = "";
		return [
			{ type: "retract", reason },
			...this.#said.flatMap(({ text, references }, i) => [
				sentence(text, i === 0),
				...(references.length > 0 ? [{ type: "citations", references }] : []),
			]),
		];
	}

	#fail(code: string, details: string): void {
		this.failure ??= { code, details: details.slice(0, 500) };
	}
}

/** Text that continues what was said, or starts a paragraph of its own. */
function sentence(content: string, continues: boolean): AgentEvent {
	return { type: "message", role: "assistant", content, ...(continues && { delta: true }) };
}
