/*
 * The DOM's own accessors, taken from their prototypes at first use. A form's properties are hidden by
 * fields of the same names (`<input name="parentElement">`), and a page may change prototypes later.
 * Taken late, since this module is also loaded where there is no DOM.
 */

interface Natives {
	localName(element: Element): string;
	firstElementChild(parent: Node): Element | null;
	nextElementSibling(element: Element): Element | null;
	parentElement(node: Node): Element | null;
	assignedSlot(element: Element): HTMLSlotElement | null;
	shadowRoot(element: Element): ShadowRoot | null;
	rootNode(node: Node): Node;
	matches(element: Element, selector: string): boolean;
	attribute(element: Element, name: string): string | null;
}

let taken: Natives | undefined;

export function natives(): Natives {
	taken ??= take();
	return taken;
}

function take(): Natives {
	const { matches, getAttribute } = Element.prototype;
	const { getRootNode } = Node.prototype;
	const child = getter(Element.prototype, "firstElementChild");
	const fragmentChild = getter(DocumentFragment.prototype, "firstElementChild");
	const documentChild = getter(Document.prototype, "firstElementChild");
	const childBy: Record<number, Getter> = { 1: child, 9: documentChild, 11: fragmentChild };
	const nodeType = getter(Node.prototype, "nodeType");
	return {
		localName: getter(Element.prototype, "localName") as Natives["localName"],
		firstElementChild: (parent) =>
			(childBy[nodeType(parent) as number]?.(parent) as Element | undefined) ?? null,
		nextElementSibling: getter(
			Element.prototype,
			"nextElementSibling",
		) as Natives["nextElementSibling"],
		parentElement: getter(Node.prototype, "parentElement") as Natives["parentElement"],
		assignedSlot: getter(Element.prototype, "assignedSlot") as Natives["assignedSlot"],
		shadowRoot: getter(Element.prototype, "shadowRoot") as Natives["shadowRoot"],
		rootNode: (node) => getRootNode.call(node),
		matches: (element, selector) => matches.call(element, selector),
		attribute: (element, name) => getAttribute.call(element, name),
	};
}

type Getter = (of: Node) => unknown;

function getter(prototype: object, name: string): Getter {
	const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
	if (!read) throw new Error(`This page has no ${name} of its own.`);
	return (of) => read.call(of);
}
