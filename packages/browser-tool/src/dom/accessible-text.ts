import { computeAccessibleName } from "dom-accessibility-api";
import type { FoundField } from "./field-kind";
import { LIMITS } from "./limits";
import { cleanLine } from "./page-text";
import { closest, parentOf, referenced, roleOf, windowOf } from "./tree";

/** Text this long is no label; it is cut before anyone works through it. */
const LONG = 5_000;
const TEXT = 3;
const ELEMENTS_AND_TEXT = 5;
const [ACCEPT, REJECT, SKIP] = [1, 2, 3] as const;
const TYPED_INTO =
	'input, select, textarea, [contenteditable], [role="textbox"], [role="combobox"], [role="listbox"], [role="spinbutton"], [role="slider"]';
const WORDLESS = `${TYPED_INTO}, button, script, style, template`;

/** What a person who cannot see the page would hear the field called. */
export function labelOf(field: FoundField): string {
	return cleanLine(field.kind === "radio" ? groupName(field) : nameOf(field.element));
}

export function nameOf(element: Element): string {
	const sources = nameSources(element);
	// Names take in the values of controls inside of labels, and a label is as long as it likes.
	if (sources.some((source) => isLong(source) || holdsAnother(source, element))) {
		return sources.map(wordsOf).join(" ");
	}
	return computeAccessibleName(element, { getComputedStyle: stylesOf(element) });
}

export function descriptionOf(element: Element, label: string): string {
	const told =
		referenced(element, "aria-describedby").map(wordsOf).join(" ") ||
		element.getAttribute("aria-description") ||
		element.getAttribute("title") ||
		"";
	const description = cleanLine(told, LIMITS.description);
	return description === label ? "" : description;
}

/** The legends around a field, outermost first. The group's own name is not among them. */
export function legendsOf(field: FoundField): string[] {
	const legends: string[] = [];
	let at = parentOf(field.kind === "radio" ? (groupOf(field) ?? field.element) : field.element);
	for (; at && legends.length < LIMITS.legends; at = parentOf(at)) {
		if (!at.matches('fieldset, [role="group"], [role="radiogroup"]')) continue;
		const legend = cleanLine(nameOfGroup(at));
		if (legend) legends.unshift(legend);
	}
	return legends;
}

/** The words in an element, without those of its controls, which may be what a person typed. */
export function wordsOf(element: Element): string {
	let words = "";
	const shown = element.checkVisibility();
	const walker = element.ownerDocument.createTreeWalker(element, ELEMENTS_AND_TEXT, (node) => {
		if (node.nodeType === TEXT) return ACCEPT;
		const inside = node as Element;
		return inside.matches(WORDLESS) || (shown && !inside.checkVisibility()) ? REJECT : SKIP;
	});
	while (words.length < LONG && walker.nextNode()) {
		words += ` ${(walker.currentNode as Text).data.slice(0, LONG)}`;
	}
	return words;
}

function groupName(field: FoundField): string {
	const group = groupOf(field);
	const name = group ? nameOfGroup(group) : "";
	if (name || field.members!.length > 1) return name;
	return nameOf(field.element);
}

function groupOf(field: FoundField): Element | null {
	const inner = roleOf(field.element) === "radio" && field.element.localName !== "input";
	return closest(field.element, inner ? '[role="radiogroup"]' : 'fieldset, [role="radiogroup"]');
}

function nameOfGroup(group: Element): string {
	const legend = Array.from(group.children).find(({ localName }) => localName === "legend");
	if (legend && !group.hasAttribute("aria-labelledby")) return wordsOf(legend);
	const sources = referenced(group, "aria-labelledby");
	if (sources.length > 0) return sources.map(wordsOf).join(" ");
	return group.getAttribute("aria-label") ?? "";
}

function nameSources(element: Element): Element[] {
	const referredTo = referenced(element, "aria-labelledby");
	if (referredTo.length > 0) return referredTo;
	if (element.hasAttribute("aria-label")) return [];
	return Array.from((element as HTMLInputElement).labels ?? []);
}

function holdsAnother(source: Element, element: Element): boolean {
	return Array.from(source.querySelectorAll(TYPED_INTO)).some((control) => control !== element);
}

function isLong(element: Element): boolean {
	return (element.textContent?.length ?? 0) > LONG;
}

function stylesOf(element: Element): typeof getComputedStyle {
	const view = windowOf(element);
	return view.getComputedStyle.bind(view);
}
