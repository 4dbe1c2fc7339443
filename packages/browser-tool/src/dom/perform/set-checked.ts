import type { FoundField } from "../field-kind";
import { isChecked } from "../field-value";
import { press } from "./events";
import { takeFocus } from "./focus";
import { notKept, Refusal } from "./refusal";
import { nextTask } from "./wait";

const YES = /^(?:true|yes|on|1|checked)$/i;
const NO = /^(?:false|no|off|0|unchecked|)$/i;

/** True or false, from the word for it. */
export function readSwitch(value: string): boolean {
	if (YES.test(value.trim())) return true;
	if (NO.test(value.trim())) return false;
	throw new Refusal("malformed-value", 'The field takes "true" or "false".');
}

/** Clicks a box or a switch, only if it is not yet as wanted. */
export async function setChecked({ element }: FoundField, wanted: boolean): Promise<void> {
	if (isChecked(element) === wanted) return;
	const leave = takeFocus(element);
	if (element.localName === "input") element.click();
	else press(element);
	leave();
	await nextTask();
	if (isChecked(element) !== wanted) throw notKept();
}
