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
	return options.slice(0, LIMITS.fields).map((element) => {
		const label = cleanLine(nameOf(element) || wordsOf(element), LIMITS.optionText);
		const value = element.getAttribute("data-value") ?? element.getAttribute("value");
		return {
			element,
			label,
			value: value === null ? label : cleanLine(value, LIMITS.optionText),
			...(isChosen(element) && { selected: true }),
			...(element.getAttribute("aria-disabled") === "true" && { disabled: true }),
		};
	});
}

function selectOption(element: HTMLOptionElement): FoundOption {
	const group = element.parentElement?.closest("optgroup");
	return {
		element,
		label: cleanLine(element.label || element.text || element.value, LIMITS.optionText),
		value: cleanLine(element.value, LIMITS.optionText),
		...(element.selected && { selected: true }),
		...((element.disabled || group?.disabled) && { disabled: true }),
		...(group && { group: cleanLine(group.label, LIMITS.optionText) }),
	};
}

function radioOption(element: HTMLElement): FoundOption {
	const native = element.localName === "input" ? (element as HTMLInputElement) : null;
	const label = cleanLine(nameOf(element), LIMITS.optionText);
	const value = native?.value ?? element.getAttribute("data-value") ?? label;
	const disabled = element.matches(":disabled") || element.getAttribute("aria-disabled") === "true";
	const selected = native ? native.checked : element.getAttribute("aria-checked") === "true";
	return {
		element,
		label: label || cleanLine(value, LIMITS.optionText),
		value: cleanLine(value, LIMITS.optionText),
		...(selected && { selected }),
		...(disabled && { disabled }),
	};
}

export function isChosen(option: Element): boolean {
	return (
		option.getAttribute("aria-selected") === "true" ||
		option.getAttribute("aria-checked") === "true"
	);
}
