import type { SnapshotField } from "../types";
import { natives } from "./natives";
import { referenced, roleOf } from "./tree";

export type FieldKind = SnapshotField["kind"];

/** A field as the page has it. */
export interface FoundField {
	kind: FieldKind;
	/** What is filled or clicked; of a group of radio buttons the first. */
	element: HTMLElement;
	/** The `type` of an input. */
	inputType?: string;
	/** The buttons of a radio group. */
	members?: HTMLElement[];
}

const BUTTON_TYPES = new Set(["submit", "reset", "button", "image"]);
const KIND_OF_ROLE: Record<string, FieldKind> = {
	checkbox: "checkbox",
	switch: "switch",
	radio: "radio",
	listbox: "listbox",
	slider: "slider",
	spinbutton: "spinbutton",
	button: "button",
};

/** What kind of field an element is, or null. `<input type="hidden">` is none. */
export function fieldKindOf(element: HTMLElement): Pick<FoundField, "kind" | "inputType"> | null {
	switch (natives().localName(element)) {
		case "form":
			return null;
		case "input":
			return inputKind(element as HTMLInputElement);
		case "textarea":
			return { kind: roleOf(element) === "combobox" ? "combobox" : "textarea" };
		case "select":
			return { kind: "select" };
	}
	const role = roleOf(element);
	if (role === "combobox") return isComboboxAround(element) ? null : { kind: "combobox" };
	if (opensListbox(element)) return { kind: "combobox" };
	if (Object.hasOwn(KIND_OF_ROLE, role)) return { kind: KIND_OF_ROLE[role]! };
	if (element.localName === "button") return role === "" ? { kind: "button" } : null;
	return isEditingHost(element) ? { kind: "richtext" } : null;
}

function inputKind(input: HTMLInputElement): Pick<FoundField, "kind" | "inputType"> | null {
	const inputType = input.type;
	const role = roleOf(input);
	if (inputType === "hidden") return null;
	if (BUTTON_TYPES.has(inputType)) return { kind: "button", inputType };
	if (inputType === "checkbox") return { kind: role === "switch" ? "switch" : "checkbox" };
	if (inputType === "radio") return { kind: "radio" };
	if (inputType === "file") return { kind: "file", inputType };
	if (inputType === "range") return { kind: "slider", inputType };
	if (role === "spinbutton") return { kind: "spinbutton", inputType };
	// The older pattern has the role on an element around the input.
	const around = input.parentElement?.closest('[role~="combobox"]');
	if (role === "combobox" || input.list || around) return { kind: "combobox", inputType };
	return { kind: "text", inputType };
}

function isComboboxAround(element: Element): boolean {
	return element.querySelector("input, textarea") !== null;
}

/** A button with a list of choices, which is what a select-only combobox was before it had a role. */
function opensListbox(element: Element): boolean {
	return element.localName === "button" && element.getAttribute("aria-haspopup") === "listbox";
}

function isEditingHost(element: HTMLElement): boolean {
	if (!element.isContentEditable) return false;
	return !element.parentElement?.isContentEditable;
}

/** The lists that comboboxes open: they are no fields of their own. */
export function popupsOf(fields: readonly FoundField[]): Set<Element> {
	const combos = fields.filter(({ kind }) => kind === "combobox").map(({ element }) => element);
	return new Set(combos.flatMap((element) => popupCandidates(element)));
}

export function popupCandidates(combobox: Element): HTMLElement[] {
	const around = combobox.parentElement?.closest('[role~="combobox"]');
	return [combobox, ...(around ? [around] : [])].flatMap((element) => [
		...referenced(element, "aria-controls"),
		...referenced(element, "aria-owns"),
	]);
}
