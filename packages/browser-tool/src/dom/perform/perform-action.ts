import type { BrowserToolAction } from "../../types";
import type { FoundField } from "../field-kind";
import { optionsOf } from "../field-options";
import { isChecked } from "../field-value";
import { choose } from "./choose";
import { chooseInCombobox } from "./choose-in-combobox";
import { press } from "./events";
import { fillRichtext } from "./fill-richtext";
import { fillText } from "./fill-text";
import { findOption } from "./find-option";
import { Refusal } from "./refusal";
import { readSwitch, setChecked } from "./set-checked";
import { stepValue } from "./step-value";
import { nextFrame } from "./wait";

/** Does one action on its field. It is done, or a `Refusal` says why not. */
export async function performAction(
	field: FoundField,
	action: BrowserToolAction,
	signal?: AbortSignal,
): Promise<void> {
	if (field.kind === "file") {
		throw new Refusal("not-allowed", "Only the person can choose files.");
	}
	if (action.action === "click") return click(field);
	const { value } = action;
	const chosen = action.action === "select" ? (action.values ?? [value]) : [value];
	const native = field.element.localName === "input" || field.element.localName === "textarea";
	switch (field.kind) {
		case "checkbox":
		case "switch":
			return setChecked(field, readSwitch(value));
		case "select":
		case "radio":
		case "listbox":
			return choose(field, chosen);
		case "richtext":
			return fillRichtext(field, value);
		case "combobox":
			return combobox(field, action, signal);
		case "slider":
		case "spinbutton":
			return native ? fillText(field, value) : stepValue(field, value);
		case "button":
			throw new Refusal("unsupported", "A button can only be clicked.");
		default:
			return fillText(field, value);
	}
}

function combobox(
	field: FoundField,
	{ action, value }: Exclude<BrowserToolAction, { action: "click" }>,
	signal: AbortSignal | undefined,
): Promise<void> {
	// A list of suggestions beside a plain input: the browser's own, which no script can open.
	if ((field.element as HTMLInputElement).list) {
		const option = findOption(optionsOf(field)!, value);
		return fillText(field, option?.value ?? value);
	}
	return chooseInCombobox(field, value, { freely: action === "fill", signal });
}

async function click(field: FoundField): Promise<void> {
	switch (field.kind) {
		case "checkbox":
		case "switch":
			return setChecked(field, !isChecked(field.element));
		case "button":
			press(field.element);
			return nextFrame();
		default:
			throw new Refusal("unsupported", "Only buttons and boxes are clicked.");
	}
}
