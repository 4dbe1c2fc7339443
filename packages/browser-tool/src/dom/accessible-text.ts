import { computeAccessibleName } from "dom-accessibility-api";
import type { FoundField } from "./field-kind";
import { LIMITS } from "./limits";
import { natives } from "./natives";
import { cleanLine } from "./page-text";
import { perSnapshot } from "./per-snapshot";
import { closest, parentOf, referenced, roleOf, windowOf } from "./tree";

/** Text this long is no label; it is cut before anyone works through it. */
const LONG = 5_000;
const TEXT = 3;
const ELEMENTS_AND_TEXT = 5;
const [ACCEPT, REJECT, SKIP] = [1, 2, 3] as const;
const TYPED_INTO =
	'input, select, textarea, [contenteditable], [role="textbox"], [role="combobox"], [role="listbox"], [role="spinbutton"], [role="slider"]';
const GROUPS = 'fieldset, [role="group"], [role="radiogroup"]';
const WORDLESS = `${TYPED_INTO}, button, script, style, template`;

/** Of each element's style the two things that names depend on, read once. */
const styleOf = perSnapshot((element) => {
	const { display, visibility } = windowOf(element).getComputedStyle(element);
	const known: Record<string, string> = { display, visibility };
	return { getPropertyValue: (name: string) => known[name] ?? "" };
});

/* Without what CSS adds before and after: stars for required fields and letters of icon fonts. */
const OPTIONS = {
	getComputedStyle: styleOf as unknown as typeof getComputedStyle,
	computedStyleSupportsPseudoElements: false,
};

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
	return computeAccessibleName(element, OPTIONS);
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
	const inner = field.kind === "radio" ? (groupOf(field) ?? field.element) : field.element;
	return legendsAround(inner);
}

const legendsAround: (element: Element) => string[] = perSnapshot((element) => {
	const around = parentOf(element);
	if (!around) return [];
	const outer = legendsAround(around);
	if (!natives().matches(around, GROUPS)) return outer;
	const legend = cleanLine(nameOfGroup(around));
	return legend ? [...outer, legend].slice(-LIMITS.legends) : outer;
});

/** The words in an element, without those of its controls, which may be what a person typed. */
export function wordsOf(element: Element): string {
	if (!element.firstElementChild) return (element.textContent ?? "").slice(0, LONG);
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
