import { LIMITS } from "./limits";
import { natives } from "./natives";
import { cleanLine } from "./page-text";
import { IGNORE, type Root } from "./tree";

/** A part of the page that could not be looked into. */
export interface Opaque {
	reason: "cross-origin-frame" | "closed-shadow-root" | "unreadable";
	label?: string;
}

const SKIPPED = new Set(["script", "style", "template", "noscript", "head", "svg", "math"]);

/**
 * Every element of the root in the order of reading, through open shadow roots, slots and frames of
 * the same origin. False when there were too many to look at.
 */
export function walkPage(
	root: Root,
	visit: (element: HTMLElement) => void,
	onOpaque: (opaque: Opaque) => void,
): boolean {
	const { localName, matches } = natives();
	const stack = root.nodeType === 1 ? [root as Element] : childrenOf(root).toReversed();
	let looked = 0;
	for (let element = stack.pop(); element; element = stack.pop()) {
		if (++looked > LIMITS.elements) return false;
		if (SKIPPED.has(localName(element)) || matches(element, IGNORE)) continue;
		visit(element as HTMLElement);
		const inside = insideOf(element, onOpaque);
		for (let i = inside.length - 1; i >= 0; i--) stack.push(inside[i]!);
	}
	return true;
}

function insideOf(element: Element, onOpaque: (opaque: Opaque) => void): Element[] {
	const name = natives().localName(element);
	if (name === "iframe" || name === "frame") {
		const { contentDocument } = element as HTMLIFrameElement;
		if (contentDocument) return childrenOf(contentDocument);
		if (isShown(element)) onOpaque({ reason: "cross-origin-frame", label: frameLabel(element) });
		return [];
	}
	const shadow = natives().shadowRoot(element);
	if (shadow) return childrenOf(shadow);
	if (name === "slot") {
		const assigned = (element as HTMLSlotElement).assignedElements();
		if (assigned.length > 0) return assigned;
	}
	const children = childrenOf(element);
	if (children.length === 0 && isClosedHost(element, name)) {
		onOpaque({ reason: "closed-shadow-root", label: cleanLine(name) });
	}
	return children;
}

function frameLabel(frame: Element): string {
	return cleanLine(frame.getAttribute("title") || frame.getAttribute("name") || "frame");
}

/** A guess, since a closed root cannot be seen: a custom element that shows something of its own. */
function isClosedHost(element: Element, name: string): boolean {
	if (!name.includes("-")) return false;
	const known = element.ownerDocument.defaultView?.customElements.get(name);
	return known !== undefined && !element.textContent?.trim() && isShown(element);
}

function isShown(element: Element): boolean {
	const { width, height } = element.getBoundingClientRect();
	return width > 1 && height > 1;
}

function childrenOf(parent: Node): Element[] {
	const { firstChild, nextSibling, nodeType } = natives();
	const children: Element[] = [];
	for (let child = firstChild(parent); child; child = nextSibling(child)) {
		if (nodeType(child) === 1) children.push(child as Element);
	}
	return children;
}
