import type { FoundField } from "./field-kind";
import { parentOf } from "./tree";

/*
 * What a person cannot see, an agent does not fill: that is how pages set traps for programs. A box
 * or a radio button may itself be invisible where its label is drawn in its place.
 */

const DRAWN_BY_LABEL = new Set(["checkbox", "switch", "radio", "file"]);

export function isVisible(field: Pick<FoundField, "kind" | "element">): boolean {
	const { kind, element } = field;
	if (isOutOfReach(element)) return false;
	if (isDrawn(element)) return true;
	if (!DRAWN_BY_LABEL.has(kind) || element.localName !== "input") return false;
	const labels = Array.from((element as HTMLInputElement).labels ?? []);
	if (labels.some(isDrawn)) return true;
	// Laid out, but see-through: something beside it is drawn instead.
	return labels.length === 0 && isLaidOut(element) && isDrawn(element.parentElement);
}

function isOutOfReach(element: Element): boolean {
	for (let at: Element | null = element; at; at = parentOf(at)) {
		if (at.getAttribute("aria-hidden") === "true" || at.hasAttribute("inert")) return true;
	}
	return false;
}

function isLaidOut(element: Element): boolean {
	return element.checkVisibility({ visibilityProperty: true, checkVisibilityCSS: true });
}

function isDrawn(element: Element | null): boolean {
	const all = { opacityProperty: true, checkOpacity: true };
	if (!element || !isLaidOut(element) || !element.checkVisibility(all)) return false;
	const box = element.getBoundingClientRect();
	if (box.width <= 1 || box.height <= 1) return false;
	return !isBeyondThePage(element, box) && !isClippedAway(element);
}

/** Left of or above everything that can be scrolled to. */
function isBeyondThePage(element: Element, box: DOMRect): boolean {
	const { scrollX = 0, scrollY = 0 } = element.ownerDocument.defaultView ?? {};
	const beyond = box.right + scrollX <= 0 && !scrollsLeftwards(element.ownerDocument);
	if (!beyond && box.bottom + scrollY > 0) return false;
	for (let at = element.parentElement; at; at = at.parentElement) {
		if (at.scrollTop !== 0 || at.scrollLeft !== 0) return false;
	}
	return true;
}

function scrollsLeftwards({ documentElement }: Document): boolean {
	return getComputedStyle(documentElement).direction === "rtl";
}

/** Inside something that has no room and shows no overflow: a closed fold, for instance. */
function isClippedAway(element: Element): boolean {
	for (let at = element.parentElement; at; at = at.parentElement) {
		const { offsetWidth, offsetHeight } = at;
		if (offsetWidth > 1 && offsetHeight > 1) continue;
		const { overflowX, overflowY, display } = getComputedStyle(at);
		if (display === "contents" || display === "inline") continue;
		if (offsetWidth <= 1 && overflowX !== "visible") return true;
		if (offsetHeight <= 1 && overflowY !== "visible") return true;
	}
	return false;
}
