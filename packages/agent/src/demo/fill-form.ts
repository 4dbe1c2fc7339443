import { AgentFailure, type Turn } from "../agent";
import { describeReport, describeSkipped, joinReports } from "./describe-form";
import { type FormMatch, matchFields } from "./match-fields";
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
		yield [why, ...describeSkipped(match)].join("\n\n");
		return undefined;
	}
	const fills = match.actions.filter(({ field }) => field.kind !== "button");
	const sending = match.actions.filter(({ field }) => field.kind === "button");
	const reports: unknown[] = [];
	/** What the page has told about: of the rest nobody knows whether it was done. */
	const told: FormMatch["actions"] = [];
	let failure = "";
	for (const actions of [fills, sending]) {
		if (actions.length === 0 || failure !== "") continue;
		yield actions === fills ? `I will take care of: ${namesOf(fills)}. ` : askToSend(sending);
		const acted = await ask(turn, {
			type: "execute_request",
			actions: actions.map(({ action }) => ({ ...action })),
			fields: rawFields,
		});
		if (typeof acted === "string") failure = acted;
		else if (acted.type === "execute_response") {
			reports.push(acted.report);
			told.push(...actions);
		}
	}
	const known = { ...match, actions: told };
	const described = told.length > 0 ? [describeReport(known, joinReports(reports))] : [];
	const summary = [...described, ...(failure ? [failure] : [])].join("\n\n");
	await turn.memory.set({ form: { runId: turn.runId, summary } });
	yield summary;
	return undefined;
}

function namesOf(actions: FormMatch["actions"]): string {
	return actions.map(({ field }) => field.label || field.fieldId).join(", ");
}

function askToSend(actions: FormMatch["actions"]): string {
	return `Now I press “${namesOf(actions)}”, if you agree. `;
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
