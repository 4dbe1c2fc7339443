import type { FoundField } from "./field-kind";
import { natives } from "./natives";
import { perSnapshot } from "./per-snapshot";
import { parentOf } from "./tree";

/*
 * What a person cannot see, an agent does not fill: that is how pages set traps for programs. A box
 * or a radio button may itself be invisible where its label is drawn in its place.
 */

const DRAWN_BY_LABEL = new Set(["checkbox", "switch", "radio", "file"]);

export function isVisible({ kind, element }: Pick<FoundField, "kind" | "element">): boolean {
	if (isOutOfReach(element)) return false;
	if (isDrawn(element)) return true;
	if (!DRAWN_BY_LABEL.has(kind) || element.localName !== "input") return false;
	const labels = Array.from((element as HTMLInputElement).labels ?? []);
	if (labels.some(isDrawn)) return true;
	// Laid out, but see-through: something beside it is drawn instead.
	return labels.length === 0 && isLaidOut(element) && isDrawn(element.parentElement);
}

const isOutOfReach: (element: Element) => boolean = perSnapshot((element) => {
	const { attribute } = natives();
	if (attribute(element, "aria-hidden") === "true" || attribute(element, "inert") !== null) {
		return true;
	}
	const around = parentOf(element);
	return around !== null && isOutOfReach(around);
});

function isLaidOut(element: Element): boolean {
	return element.checkVisibility({ visibilityProperty: true, checkVisibilityCSS: true });
}

function isDrawn(element: Element | null): boolean {
	const all = { opacityProperty: true, checkOpacity: true };
	if (!element || !isLaidOut(element) || !element.checkVisibility(all)) return false;
	const box = element.getBoundingClientRect();
	if (box.width <= 1 || box.height <= 1) return false;
	return !isBeyondThePage(element, box) && !isInClosedFold(element);
}

/** Left of or above everything that can be scrolled to. */
function isBeyondThePage(element: Element, box: DOMRect): boolean {
	if (box.right > 0 && box.bottom > 0) return false;
	const { scrollX = 0, scrollY = 0 } = element.ownerDocument.defaultView ?? {};
	const beyond = box.right + scrollX <= 0 && !scrollsLeftwards(element.ownerDocument);
	if (!beyond && box.bottom + scrollY > 0) return false;
	const { parentElement } = natives();
	for (let at = parentElement(element); at; at = parentElement(at)) {
		if (at.scrollTop !== 0 || at.scrollLeft !== 0) return false;
	}
	return true;
}

function scrollsLeftwards({ documentElement }: Document): boolean {
	return getComputedStyle(documentElement).direction === "rtl";
}

/** Inside something that has no room and shows no overflow. */
function isInClosedFold(element: Element): boolean {
	const around = natives().parentElement(element);
	return around !== null && isClosedFold(around);
}

const isClosedFold: (element: Element) => boolean = perSnapshot((element) => {
	const { offsetWidth = 2, offsetHeight = 2 } = element as HTMLElement;
	if (offsetWidth <= 1 || offsetHeight <= 1) {
		const { overflowX, overflowY, display } = getComputedStyle(element);
		const clips =
			(offsetWidth <= 1 && overflowX !== "visible") ||
			(offsetHeight <= 1 && overflowY !== "visible");
		if (clips && display !== "contents" && display !== "inline") return true;
	}
	return isInClosedFold(element);
});
