import type { FoundField } from "./field-kind";
import { type FoundOption, optionsOf } from "./field-options";
import { cleanText } from "./page-text";

/** What a field holds: a choice by its label, a box as true or false, anything else as text. */
export function heldBy(field: FoundField, options = optionsOf(field)): string | boolean {
	const { kind, element } = field;
	switch (kind) {
		case "checkbox":
		case "switch":
			return isChecked(element);
		case "select":
		case "radio":
		case "listbox":
			return chosenOf(options!).join(", ");
		case "button":
			return "";
		case "file":
			return Array.from((element as HTMLInputElement).files ?? [], ({ name }) => name).join(", ");
		default:
			return textOf(field);
	}
}

/** The labels of what is chosen. */
export function chosenOf(options: readonly FoundOption[]): string[] {
	return options.filter(({ selected }) => selected).map(({ label }) => label);
}

export function isChecked(element: HTMLElement): boolean {
	return element.localName === "input"
		? (element as HTMLInputElement).checked
		: element.getAttribute("aria-checked") === "true";
}

/** The text of a field as it is, for comparing; a snapshot cleans it. */
export function textOf({ kind, element }: FoundField): string {
	const { localName } = element;
	if (localName === "input" || localName === "textarea") {
		return (element as HTMLInputElement).value;
	}
	if (kind === "slider" || kind === "spinbutton") {
		return element.getAttribute("aria-valuenow") ?? "";
	}
	// biome-ignore lint/performance/useDomNodeTextContent: it keeps the lines that a person sees
	return kind === "richtext" ? element.innerText : (element.textContent ?? "").trim();
}

export function toldValue(value: string | boolean): string | boolean {
	return typeof value === "string" ? cleanText(value) : value;
}
