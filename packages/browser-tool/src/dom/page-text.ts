import { hideCardNumbers } from "./card-number";
import { LIMITS } from "./limits";

/*
 * Text of a page is data from a stranger. What cannot be seen is taken out: control characters, marks
 * that turn the direction, characters of no width, and the tag characters and variation selectors
 * that smuggle words past the eye.
 */
const UNSEEN =
	/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** One line of text, cleaned and capped, without card numbers. */
export function cleanLine(text: string, cap: number = LIMITS.label): string {
	// Cut before it is worked on: a label may be a megabyte of blanks.
	const near = text.length > cap * 20 ? text.slice(0, cap * 20) : text;
	return shorten(hideCardNumbers(near.replace(UNSEEN, "").replace(/\s+/g, " ").trim()), cap);
}

/** Text that keeps its lines. */
export function cleanText(text: string, cap: number = LIMITS.value): string {
	const near = text.length > cap * 4 ? text.slice(0, cap * 4) : text;
	return shorten(hideCardNumbers(near.replace(/\r\n?/g, "\n").replace(UNSEEN, "")), cap);
}

/** For comparing texts as a person would. */
export function folded(text: string): string {
	return text.replace(UNSEEN, "").replace(/\s+/g, " ").trim().toLowerCase();
}

function shorten(text: string, cap: number): string {
	if (text.length <= cap) return text;
	const end = /[\ud800-\udbff]/.test(text.charAt(cap - 2)) ? cap - 2 : cap - 1;
	return `${text.slice(0, end)}…`;
}
