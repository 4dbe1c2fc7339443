import type { FieldOption } from "../types";
import { nameOf, wordsOf } from "./accessible-text";
import { type FoundField, popupCandidates } from "./field-kind";
import { LIMITS } from "./limits";
import { cleanLine } from "./page-text";

/** A choice, and the element that stands for it. */
export interface FoundOption extends FieldOption {
	element: HTMLElement;
}

/** The choices of a field, as far as the page has them. */
export function optionsOf({ kind, element, members }: FoundField): FoundOption[] | undefined {
	switch (kind) {
		case "select":
			return Array.from((element as HTMLSelectElement).options, selectOption);
		case "radio":
			return members!.map(radioOption);
		case "listbox":
			return ariaOptions(element);
		case "combobox": {
			const { list } = element as HTMLInputElement;
			if (list) return Array.from(list.options, selectOption);
			const popup = popupOf(element);
			return popup ? ariaOptions(popup) : undefined;
		}
		default:
			return undefined;
	}
}

/** The list that a combobox opens, if it is in the page now. */
export function popupOf(combobox: Element): HTMLElement | undefined {
	for (const candidate of popupCandidates(combobox)) {
		if (candidate.matches('[role="listbox"]')) return candidate;
		const inside = candidate.querySelector<HTMLElement>('[role="listbox"]');
		if (inside) return inside;
	}
	return undefined;
}

export function ariaOptions(list: Element): FoundOption[] {
	const options = Array.from(list.querySelectorAll<HTMLElement>('[role="option"]'));
	return options.slice(0, LIMITS.fields).map(ariaOption);
}

function ariaOption(element: HTMLElement): FoundOption {
	const label = nameOf(element) || wordsOf(element);
	const value = element.getAttribute("data-value") ?? element.getAttribute("value") ?? label;
	const is = (name: string) => element.getAttribute(name) === "true";
	return optionOf(element, label, value, {
		selected: is("aria-selected") || is("aria-checked"),
		disabled: is("aria-disabled"),
	});
}

function selectOption(element: HTMLOptionElement): FoundOption {
	const group = element.parentElement?.closest("optgroup");
	const { label, value, selected } = element;
	return {
		...optionOf(element, label || value, value, {
			selected,
			disabled: element.disabled || group?.disabled === true,
		}),
		...(group && { group: cleanLine(group.label, LIMITS.optionText) }),
	};
}

function radioOption(element: HTMLElement): FoundOption {
	if (element.localName !== "input") return ariaOption(element);
	const { value, checked: selected } = element as HTMLInputElement;
	const disabled = element.matches(":disabled");
	return optionOf(element, nameOf(element) || value, value, { selected, disabled });
}

function optionOf(
	element: HTMLElement,
	label: string,
	value: string,
	{ selected, disabled }: { selected: boolean; disabled: boolean },
): FoundOption {
	return {
		element,
		label: cleanLine(label, LIMITS.optionText),
		value: cleanLine(value, LIMITS.optionText),
		...(selected && { selected }),
		...(disabled && { disabled }),
	};
}
