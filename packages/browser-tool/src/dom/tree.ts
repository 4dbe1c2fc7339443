import { natives } from "./natives";

/*
 * The page as a person sees it: shadow trees in place of their hosts' children, slotted elements in
 * their slots, frames in place. Elements may be of another frame's realm, where `instanceof` fails,
 * so everything goes by names.
 */

export type Root = Document | ShadowRoot | Element;

/** Puts a part of the page out of the tools' sight: `data-browser-tool="ignore"`. */
export const IGNORE = '[data-browser-tool="ignore"]';

export function windowOf(element: Element): Window & typeof globalThis {
	return element.ownerDocument.defaultView!;
}

/** The element around this one, out of shadow trees and frames. */
export function parentOf(element: Element): Element | null {
	const { assignedSlot, parentElement, rootNode } = natives();
	const around = assignedSlot(element) ?? parentElement(element);
	if (around) return around;
	const tree = rootNode(element);
	if ("host" in tree) return (tree as ShadowRoot).host;
	// Null too where the frame around is of another origin.
	return (tree as Document).defaultView?.frameElement ?? null;
}

/** The first that matches, from this element outwards through shadow trees and frames. */
export function closest(element: Element, selector: string): Element | null {
	const { matches } = natives();
	for (let at: Element | null = element; at; at = parentOf(at)) {
		if (matches(at, selector)) return at;
	}
	return null;
}

export function isWithin(root: Root, element: Element): boolean {
	const { rootNode } = natives();
	for (let at: Element | null = element; at; at = parentOf(at)) {
		if (at === root || rootNode(at) === root) return true;
	}
	return false;
}

/** The elements that an attribute of ids points at, in the element's own tree. */
export function referenced(element: Element, attribute: string): HTMLElement[] {
	const ids = element.getAttribute(attribute)?.split(/\s+/).filter(Boolean) ?? [];
	const tree = element.getRootNode() as Document | ShadowRoot;
	return ids.flatMap((id) => (tree.getElementById?.(id) as HTMLElement | null) ?? []);
}

export function roleOf(element: Element): string {
	return natives().attribute(element, "role")?.trim().split(/\s+/)[0]?.toLowerCase() ?? "";
}
