import type { FoundField } from "./field-kind";

/** Words on a button that mean it does something which cannot be taken back. */
const SENDS =
	/\b(?:submit|send|pay|buy|order|purchase|check ?out|book|reserve|apply|confirm|sign (?:up|in)|log ?in|register|subscribe|delete|remove|transfer|donate|publish|post|accept|agree|place)\b|senden|bestellen|kaufen|zahlen|buchen|löschen|送信|購入|予約|削除|提交|支付|购买|删除/iu;

/** Whether a click on this button sends or clears a form, so that the person is asked first. */
export function submits(field: FoundField, label: string): boolean {
	if (field.kind !== "button") return false;
	const { element } = field;
	const { type, form } = element as HTMLButtonElement;
	const native = element.localName === "button" || element.localName === "input";
	if (native && type !== "button" && (form || type !== "submit")) return true;
	return SENDS.test(label);
}

/** The form that a button belongs to. */
export function formOf(element: HTMLElement): HTMLFormElement | null {
	return (element as HTMLButtonElement).form ?? element.closest("form");
}
