import type { FoundField } from "../field-kind";
import { ariaOptions, type FoundOption, popupOf } from "../field-options";
import { textOf } from "../field-value";
import { press, pressKey, tellInput, tellKey } from "./events";
import { isKept } from "./fill-text";
import { findOption, optionNotFound } from "./find-option";
import { takeFocus } from "./focus";
import { setNativeValue } from "./native-value";
import { notKept, Refusal } from "./refusal";
import { nextTask, waitUntil } from "./wait";

/** How long a list of choices may take to come, from a server for instance. */
const LIST_MS = 1_500;

/**
 * Opens a combobox, types where it can be typed into, and clicks the option. With `freely`, a text that
 * is no option may stay, if the page keeps it.
 */
export async function chooseInCombobox(
	field: FoundField,
	wanted: string,
	{ freely, signal }: { freely: boolean; signal?: AbortSignal },
): Promise<void> {
	const { element } = field;
	const editable = element.localName === "input" || element.localName === "textarea";
	const leave = takeFocus(element);
	try {
		press(element);
		await nextTask();
		if (editable) await type(element as HTMLInputElement, wanted);
		else if (element.getAttribute("aria-expanded") !== "true") pressKey(element, "ArrowDown");
		const options = () => popupOptions(element);
		const option = await waitUntil(
			() => findOption(options(), wanted),
			freely && editable && !popupOf(element) ? LIST_MS / 4 : LIST_MS,
			signal,
		);
		if (option?.disabled) throw new Refusal("option-disabled", "That option cannot be chosen.");
		if (!option && !(freely && editable)) throw optionNotFound(options());
		if (option) {
			press(option.element);
			await nextTask();
		}
	} finally {
		if (element.getAttribute("aria-expanded") === "true") pressKey(element, "Escape");
		leave();
	}
	await nextTask();
	const kept = await waitUntil(() => isShown(field, wanted) || undefined, LIST_MS / 4, signal);
	if (!kept) throw notKept();
}

/** Key by key: lists of suggestions stay closed when a text appears at once. */
async function type(input: HTMLInputElement, text: string): Promise<void> {
	if (input.value !== "") {
		setNativeValue(input, "");
		tellInput(input, "deleteContentBackward");
		await nextTask();
	}
	for (const key of text) {
		tellKey(input, "keydown", key);
		setNativeValue(input, input.value + key);
		tellInput(input, "insertText", key);
		tellKey(input, "keyup", key);
		await nextTask();
	}
}

/** The options of the list that is open now; it often is made only then. */
function popupOptions(combobox: HTMLElement): FoundOption[] {
	const popup = popupOf(combobox);
	return popup ? ariaOptions(popup) : [];
}

function isShown(field: FoundField, wanted: string): boolean {
	const shown = textOf(field);
	if (isKept(shown, wanted)) return true;
	const chosen = popupOptions(field.element).find(({ selected }) => selected);
	// An option named by its value, or a button that shows the choice beside other words.
	return (
		chosen !== undefined &&
		(isKept(chosen.label, wanted) || isKept(chosen.value, wanted)) &&
		(shown === "" || shown.includes(chosen.label))
	);
}
