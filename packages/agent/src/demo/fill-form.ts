import { AgentFailure, type Turn } from "../agent";
import { describeReport, describeSkipped } from "./describe-form";
import { matchFields } from "./match-fields";
import { readFields } from "./snapshot-field";

/** Patterns are looked for in all of it, so it is not read without end. */
const MAX_READ_CHARS = 20_000;

/** What one turn did with a form, kept so that a retried turn does not do it again. */
interface FormMemory {
	runId: string;
	summary: string;
}

/**
 * Looks at the form, does what the person said, and returns what to say about it. `say` is what is
 * told on the way.
 */
export async function* fillForm(turn: Turn, now: () => Date): AsyncGenerator<string, undefined> {
	const done = turn.memory.get().form as FormMemory | undefined;
	if (done?.runId === turn.runId) {
		yield done.summary;
		return undefined;
	}
	yield "Let me look at the form. ";
	const { content, document } = turn.input;
	const looked = await ask(turn, { type: "snapshot_request", instruction: content, document });
	if (typeof looked === "string") {
		yield looked;
		return undefined;
	}
	const rawFields = looked.type === "snapshot_response" ? looked.fields : [];
	const match = matchFields(withDocument(content, document), readFields(rawFields), now());
	if (match.actions.length === 0) {
		const why =
			rawFields.length === 0
				? "There are no fields in it."
				: "Nothing you said fits one of its fields.";
		yield [why, ...describeSkipped(match)].join("\n");
		return undefined;
	}
	const names = match.actions.map(({ field }) => field.label || field.fieldId).join(", ");
	yield `I will take care of: ${names}. `;
	const actions = match.actions.map(({ action }) => ({ ...action }));
	const acted = await ask(turn, { type: "execute_request", actions, fields: rawFields });
	const summary =
		typeof acted === "string"
			? acted
			: describeReport(match, acted.type === "execute_response" ? acted.report : {});
	await turn.memory.set({ form: { runId: turn.runId, summary } });
	yield summary;
	return undefined;
}

/** The page's answer, or words about why there is none. */
async function ask(turn: Turn, request: Parameters<Turn["ask"]>[0]) {
	try {
		const answer = await turn.ask(request);
		if (answer.type !== "error_response") return answer;
		return `The page did not do it: ${answer.message}`;
	} catch (error) {
		if (turn.signal.aborted || !(error instanceof AgentFailure)) throw error;
		return `I could not reach your page: ${error.message}`;
	}
}

function withDocument(content: string, document: string | undefined): string {
	const text = document === undefined ? content : `${content}\n${document}`;
	return text.slice(0, MAX_READ_CHARS);
}
