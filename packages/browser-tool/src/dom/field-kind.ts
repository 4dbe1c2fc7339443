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
/** Roles that are kinds of fields too. */
const ROLES = new Set(["checkbox", "switch", "radio", "listbox", "slider", "spinbutton", "button"]);

/** What kind of field an element is, or null. `<input type="hidden">` is none. */
export function fieldKindOf(element: HTMLElement): Pick<FoundField, "kind" | "inputType"> | null {
	const name = natives().localName(element);
	if (name === "input") {
		const { type: inputType } = element as HTMLInputElement;
		const kind = inputKind(element as HTMLInputElement);
		return kind && { kind, inputType };
	}
	const kind = kindByName(element, name);
	return kind && { kind };
}

function kindByName(element: HTMLElement, name: string): FieldKind | null {
	const role = roleOf(element);
	if (name === "form") return null;
	if (name === "select") return name;
	if (name === "textarea") return role === "combobox" ? role : name;
	if (role === "combobox") return isComboboxAround(element) ? null : role;
	if (opensListbox(element)) return "combobox";
	if (ROLES.has(role)) return role as FieldKind;
	if (name === "button") return role === "" ? name : null;
	return isEditingHost(element) ? "richtext" : null;
}

function inputKind(input: HTMLInputElement): FieldKind | null {
	const { type } = input;
	const role = roleOf(input);
	if (type === "hidden") return null;
	if (BUTTON_TYPES.has(type)) return "button";
	if (type === "checkbox") return role === "switch" ? role : type;
	if (type === "radio" || type === "file") return type;
	if (type === "range") return "slider";
	if (role === "spinbutton") return role;
	// The older pattern has the role on an element around the input.
	const around = input.parentElement?.closest('[role~="combobox"]');
	return role === "combobox" || input.list || around ? "combobox" : "text";
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
