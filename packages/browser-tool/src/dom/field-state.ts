import { wordsOf } from "./accessible-text";
import type { FoundField } from "./field-kind";
import { LIMITS } from "./limits";
import { cleanLine } from "./page-text";
import { closest, referenced } from "./tree";

export function isRequired({ element, members }: FoundField): boolean {
	return (members ?? [element]).some(
		(one) =>
			(one as HTMLInputElement).required === true ||
			one.getAttribute("aria-required") === "true" ||
			one.closest('[role="radiogroup"]')?.getAttribute("aria-required") === "true",
	);
}

/** Of a group: whether no member can be chosen. */
export function isDisabled({ element, members }: FoundField): boolean {
	return (members ?? [element]).every(
		(one) => one.matches(":disabled") || closest(one, '[aria-disabled="true"]') !== null,
	);
}

export function isReadonly({ element, members }: FoundField): boolean {
	return (members ?? [element]).every(
		(one) =>
			(one as HTMLInputElement).readOnly === true ||
			closest(one, '[aria-readonly="true"]') !== null,
	);
}

/** What the page finds wrong with a field; undefined when nothing. An empty field that nobody touched
 * is not wrong yet: that it is required says enough. */
export function faultOf({ element, kind }: FoundField): { message: string } | undefined {
	if (kind === "button") return undefined;
	const told = element.getAttribute("aria-invalid");
	const marked = told !== null && told !== "" && told !== "false";
	const input = element as HTMLInputElement;
	const wrong = input.willValidate === true && !input.validity.valid;
	const untouched = wrong && input.validity.valueMissing && !input.matches(":user-invalid");
	if (!marked && (!wrong || untouched)) return undefined;
	const message = marked ? referenced(element, "aria-errormessage").map(wordsOf).join(" ") : "";
	return { message: cleanLine(message || (input.validationMessage ?? ""), LIMITS.description) };
}
