import type { FoundField } from "../field-kind";
import { type FoundOption, isChosen, optionsOf } from "../field-options";
import { press, pressKey, tellChange } from "./events";
import { needOption } from "./find-option";
import { takeFocus } from "./focus";
import { notKept, Refusal } from "./refusal";
import { nextTask } from "./wait";

/** Chooses in a select, a radio group or a list: exactly these options, and no other. */
export async function choose(field: FoundField, wanted: readonly string[]): Promise<void> {
	const options = optionsOf(field)!;
	const chosen = new Set(wanted.map((one) => needOption(options, one).element));
	if (chosen.size > 1 && !isMultiple(field)) {
		throw new Refusal("malformed-value", "Only one option can be chosen.");
	}
	const leave = takeFocus(field.element);
	if (field.kind === "select") chooseInSelect(field.element as HTMLSelectElement, chosen);
	else await choosePieces(field, options, chosen);
	leave();
	await nextTask();
	const now = optionsOf(field)!.filter(({ selected }) => selected);
	const same = now.length === chosen.size && now.every(({ element }) => chosen.has(element));
	if (!same && !isRenderedAnew(now, options, chosen)) throw notKept();
}

function isMultiple({ element }: FoundField): boolean {
	return (
		(element as HTMLSelectElement).multiple === true ||
		element.getAttribute("aria-multiselectable") === "true"
	);
}

function chooseInSelect(select: HTMLSelectElement, chosen: ReadonlySet<Element>): void {
	for (const option of Array.from(select.options)) {
		const wanted = chosen.has(option);
		if (option.selected !== wanted) option.selected = wanted;
	}
	tellChange(select);
}

async function choosePieces(
	field: FoundField,
	options: readonly FoundOption[],
	chosen: ReadonlySet<Element>,
): Promise<void> {
	for (const option of options) {
		const wanted = chosen.has(option.element);
		if (wanted === (option.selected ?? false)) continue;
		// In a list of one choice, choosing another ends the first.
		if (!wanted && !isMultiple(field)) continue;
		if (option.element.localName === "input") option.element.click();
		else press(option.element);
		await nextTask();
		if (field.kind === "listbox" && isChosen(option.element) !== wanted) {
			await chooseByKeys(field.element, options, option);
		}
	}
}

/** For a list that listens to the keyboard alone. */
async function chooseByKeys(
	list: HTMLElement,
	options: readonly FoundOption[],
	{ element }: FoundOption,
): Promise<void> {
	pressKey(list, "Home");
	for (let i = 0; i < options.length; i++) {
		await nextTask();
		const active = list.getAttribute("aria-activedescendant") === element.id;
		if (active && element.id !== "") break;
		if (isChosen(element)) return;
		if (i < options.length - 1) pressKey(list, "ArrowDown");
	}
	if (!isChosen(element)) pressKey(list, " ");
	await nextTask();
	if (!isChosen(element)) pressKey(list, "Enter");
}

/** A page may put new elements in place of the options; then their labels tell. */
function isRenderedAnew(
	now: readonly FoundOption[],
	before: readonly FoundOption[],
	chosen: ReadonlySet<Element>,
): boolean {
	if (before.every(({ element }) => element.isConnected)) return false;
	const wanted = before.filter(({ element }) => chosen.has(element)).map(({ label }) => label);
	return String(now.map(({ label }) => label)) === String(wanted);
}
