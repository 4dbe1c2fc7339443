import { chooseOption } from "./choose-option";
import { fieldValue } from "./field-value";
import { readFacts } from "./read-message";
import type { SnapshotField } from "./snapshot-field";
import { wantsTicked } from "./tick";

export type FormAction =
	| { action: "fill"; fieldId: string; value: string }
	| { action: "select"; fieldId: string; value: string }
	| { action: "click"; fieldId: string };

/** Why a field is left as it is. */
export type SkipReason = "secret" | "locked" | "file" | "not_said" | "as_wished";

export interface FormMatch {
	/** What to do, in the order of the form; a click that sends it comes last. */
	actions: { action: FormAction; field: SnapshotField }[];
	skipped: { field: SnapshotField; reason: SkipReason }[];
}

const SECRET = /password|passcode|\bpin\b|card number|\bcvc\b|\bcvv\b|security code|one-time/i;
const SEND = /\b(?:submit|send|apply|register|sign me up|book)\b/i;
const DO_NOT_SEND =
	/\b(?:not|don't|don’t|never|without)\b[^,.;\n]*\b(?:submit|send|apply|register|book)/i;
const TICKED = new Set(["checkbox", "switch"]);
const CHOSEN = new Set(["select", "radio", "listbox"]);

/** Matches what a person said to the fields of a form. Pure: same words, same form, same actions. */
export function matchFields(message: string, fields: SnapshotField[], now: Date): FormMatch {
	const facts = readFacts(message);
	const match: FormMatch = { actions: [], skipped: [] };
	for (const field of fields) {
		if (field.kind === "button") continue;
		const matched = matchField(field);
		if (typeof matched === "string") match.skipped.push({ field, reason: matched });
		else match.actions.push({ action: matched, field });
	}
	const submit = findSubmit(fields);
	const isWanted = SEND.test(message) || isComplete(fields, match);
	if (submit && isWanted && !DO_NOT_SEND.test(message)) {
		match.actions.push({ action: { action: "click", fieldId: submit.fieldId }, field: submit });
	}
	return match;

	function matchField(field: SnapshotField): FormAction | SkipReason {
		const { fieldId, kind } = field;
		if (kind === "file" || field.inputType === "file") return "file";
		if (isSecret(field)) return "secret";
		if (field.disabled || field.readonly) return "locked";
		if (TICKED.has(kind)) {
			const wanted = wantsTicked(field, message);
			if (wanted === null) return "not_said";
			const ticked = field.currentValue === true || field.currentValue === "true";
			return wanted === ticked ? "as_wished" : { action: "click", fieldId };
		}
		const chosen = CHOSEN.has(kind) || (field.options?.length ?? 0) > 0;
		const value = chosen
			? chooseOption(field, message, facts)
			: fieldValue(field, message, facts, now);
		if (value === null) return "not_said";
		if (value === field.currentValue) return "as_wished";
		return { action: chosen ? "select" : "fill", fieldId, value };
	}
}

/** Whether nothing that the form needs is missing any more: then the person is asked about sending it. */
function isComplete(fields: SnapshotField[], { actions, skipped }: FormMatch): boolean {
	const needed = fields.filter(({ required, kind }) => required && kind !== "button");
	const acted = new Set(actions.map(({ field }) => field));
	// Also one whose turn was lost after it had filled everything in.
	const isAbout = acted.size > 0 || skipped.some(({ reason }) => reason === "as_wished");
	const isThere = (field: SnapshotField) =>
		acted.has(field) ||
		field.filled === true ||
		(field.currentValue !== undefined && field.currentValue !== "" && field.currentValue !== false);
	return needed.length > 0 && isAbout && needed.every(isThere);
}

function isSecret(field: SnapshotField): boolean {
	if (field.filled !== undefined || field.inputType === "password") return true;
	return SECRET.test(`${field.label} ${field.name ?? ""}`);
}

function findSubmit(fields: SnapshotField[]): SnapshotField | undefined {
	const buttons = fields.filter((field) => field.kind === "button" && !field.disabled);
	return buttons.find(({ submits }) => submits) ?? buttons.find(({ label }) => SEND.test(label));
}
