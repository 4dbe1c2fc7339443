import type { FoundField } from "../field-kind";
import { type FoundOption, optionsOf } from "../field-options";
import { chosenOf } from "../field-value";
import { press, tellChange } from "./events";
import { needOption } from "./find-option";
import { takeFocus } from "./focus";
import { notKept, Refusal } from "./refusal";
import { nextTask } from "./wait";

/** Chooses in a select, a radio group or a list: exactly these options, and no other. */
export async function choose(field: FoundField, wanted: readonly string[]): Promise<void> {
	const options = optionsOf(field)!;
	const chosen = new Set(wanted.map((one) => needOption(options, one)));
	if (chosen.size > 1 && !isMultiple(field)) {
		throw new Refusal("malformed-value", "Only one option can be chosen.");
	}
	const leave = takeFocus(field.element);
	if (field.kind === "select") chooseInSelect(field.element, options, chosen);
	else await choosePieces(field, options, chosen);
	leave();
	await nextTask();
	// By label: a page may put new elements in the place of its options.
	const labels = options.filter((option) => chosen.has(option)).map(({ label }) => label);
	if (String(chosenOf(optionsOf(field)!)) !== String(labels)) throw notKept();
}

function isMultiple({ element }: FoundField): boolean {
	return (
		(element as HTMLSelectElement).multiple === true ||
		element.getAttribute("aria-multiselectable") === "true"
	);
}

function chooseInSelect(
	select: HTMLElement,
	options: readonly FoundOption[],
	chosen: ReadonlySet<FoundOption>,
): void {
	for (const option of options) {
		(option.element as HTMLOptionElement).selected = chosen.has(option);
	}
	tellChange(select);
}

async function choosePieces(
	field: FoundField,
	options: readonly FoundOption[],
	chosen: ReadonlySet<FoundOption>,
): Promise<void> {
	for (const option of options) {
		const wanted = chosen.has(option);
		// In a list of one choice, choosing another ends the first.
		if (wanted === (option.selected ?? false) || (!wanted && !isMultiple(field))) continue;
		if (option.element.localName === "input") option.element.click();
		else press(option.element);
		await nextTask();
	}
}
