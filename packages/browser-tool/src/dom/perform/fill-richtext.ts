import type { FoundField } from "../field-kind";
import { textOf } from "../field-value";
import { windowOf } from "../tree";
import { tellInput } from "./events";
import { isKept } from "./fill-text";
import { takeFocus } from "./focus";
import { notKept } from "./refusal";
import { nextTask } from "./wait";

/** Replaces the text of an editor as typing would, so that editors with a model of their own see it. */
export async function fillRichtext(field: FoundField, value: string): Promise<void> {
	const { element } = field;
	const document = element.ownerDocument;
	const leave = takeFocus(element);
	windowOf(element).getSelection()?.selectAllChildren(element);
	// Out of fashion, but the one way to edit that every editor listens to.
	const typed =
		value === ""
			? document.execCommand("delete")
			: document.execCommand("insertText", false, value);
	if (!typed) {
		element.textContent = value;
		tellInput(element, "insertReplacementText", value);
	}
	leave();
	await nextTask();
	if (!isKept(textOf(field).trim(), value.trim())) throw notKept();
}
