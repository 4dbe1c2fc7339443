import type { FoundOption } from "../field-options";
import { folded } from "../page-text";
import { Refusal } from "./refusal";

const SHOWN = 20;

/** The option that a text names: by its label, then by its value, then without regard to case. */
export function findOption(
	options: readonly FoundOption[],
	wanted: string,
): FoundOption | undefined {
	const ways: ((option: FoundOption) => boolean)[] = [
		({ label }) => label === wanted,
		({ value }) => value === wanted,
		({ label }) => folded(label) === folded(wanted),
		({ value }) => folded(value) === folded(wanted),
	];
	for (const way of ways) {
		const found = options.filter(way);
		// Of two with one name, the one that can be chosen.
		if (found.length > 0) return found.find(({ disabled }) => !disabled) ?? found[0];
	}
	return undefined;
}

export function needOption(options: readonly FoundOption[], wanted: string): FoundOption {
	const found = findOption(options, wanted);
	if (!found) throw optionNotFound(options);
	if (found.disabled) throw new Refusal("option-disabled", "That option cannot be chosen.");
	return found;
}

export function optionNotFound(options: readonly FoundOption[]): Refusal {
	const names = options.slice(0, SHOWN).map(({ label }) => `"${label}"`);
	const list = names.join(", ") + (options.length > SHOWN ? ", …" : "");
	return new Refusal("option-not-found", `There is no such option, but: ${list || "none"}.`);
}
