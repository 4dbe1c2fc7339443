import type { FoundField } from "../field-kind";
import { textOf } from "../field-value";
import { tellChange } from "./events";
import { takeFocus } from "./focus";
import { setNativeValue, tryValue } from "./native-value";
import { notKept, Refusal } from "./refusal";
import { nextTask } from "./wait";

/** How to write a value for a type of input that takes not every text. */
const FORMS: Record<string, string> = {
	date: "YYYY-MM-DD",
	month: "YYYY-MM",
	week: "YYYY-Www",
	time: "HH:MM",
	"datetime-local": "YYYY-MM-DDTHH:MM",
	number: "a number, as 12.5",
	range: "a number",
	color: "#rrggbb",
};

/** Fills an input or a textarea, and sees that it keeps what was filled in. */
export async function fillText(field: FoundField, value: string): Promise<void> {
	const element = field.element as HTMLInputElement;
	const expected = expectedValue(element, value);
	const leave = takeFocus(element);
	// In one go with the focus, so that what the person types meanwhile never ends up in this field.
	setNativeValue(element, expected);
	tellChange(element, expected);
	leave();
	await nextTask();
	if (!isKept(textOf(field), expected)) throw notKept();
}

function expectedValue(element: HTMLInputElement, value: string): string {
	const form = element.localName === "input" ? FORMS[element.type] : undefined;
	const expected = tryValue(element, value);
	const wrong =
		(value.trim() !== "" && expected === "") ||
		(element.type === "color" && expected !== value.trim().toLowerCase()) ||
		(element.type === "range" && Number(expected) !== Number(value));
	if (form && wrong) {
		const { min, max } = element;
		const range = min || max ? `, from ${min || "any"} to ${max || "any"}` : "";
		throw new Refusal("malformed-value", `The field takes ${form}${range}.`);
	}
	if (element.maxLength >= 0 && expected.length > element.maxLength) {
		throw new Refusal(
			"malformed-value",
			`The field takes ${element.maxLength} characters at most.`,
		);
	}
	return expected;
}

/** A page may write a value its own way, as "(555) 12 34" for "5551234". */
export function isKept(actual: string, expected: string): boolean {
	return actual === expected || (expected.trim() !== "" && letters(actual) === letters(expected));
}

function letters(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
