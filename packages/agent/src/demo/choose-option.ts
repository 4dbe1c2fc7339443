import { namesMonth } from "./dates";
import { escapeRegExp, findLabelled } from "./labelled-value";
import type { Facts } from "./read-message";
import type { SnapshotField } from "./snapshot-field";

/** An option that asks to choose, or that is too short to be found in a sentence by chance. */
const PLACEHOLDER = /^(?:-+.*|select\b.*|choose\b.*|please\b.*|none|)$/i;

/** The option that the person named, in the option's own words. */
export function chooseOption(field: SnapshotField, message: string, facts: Facts): string | null {
	const options = (field.options ?? []).filter((option) => !PLACEHOLDER.test(option.trim()));
	const labelled = findLabelled(message, field.label);
	if (labelled) {
		const same = options.find((option) => equal(option, labelled));
		if (same) return same;
		const within = options.find((option) => hasWord(option, labelled) || hasWord(labelled, option));
		if (within) return within;
	}
	// The longest first: "New York City" before "New York".
	const byLength = options.toSorted((a, b) => b.length - a.length);
	const named = byLength.find((option) => option.trim().length > 1 && hasWord(message, option));
	if (named) return named;
	const { date } = facts;
	return (date && options.find((option) => namesMonth(option, date))) ?? null;
}

function equal(a: string, b: string): boolean {
	return a.trim().toLowerCase() === b.trim().toLowerCase();
}

export function hasWord(text: string, words: string): boolean {
	const pattern = words.trim().split(/\s+/).map(escapeRegExp).join(String.raw`\s+`);
	return new RegExp(String.raw`(?<![\p{L}\d])${pattern}(?![\p{L}\d])`, "iu").test(text);
}
