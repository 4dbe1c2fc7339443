/*
 * The DOM's own accessors, taken from their prototypes at first use. A form's properties are hidden by
 * fields of the same names (`<input name="parentElement">`), and a page may change prototypes later.
 * Taken late, since this module is also loaded where there is no DOM.
 */

interface Natives {
	localName(element: Element): string;
	nodeType(node: Node): number;
	firstChild(node: Node): Node | null;
	nextSibling(node: Node): Node | null;
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
	const [ofElement, ofNode] = [Element, Node].map(({ prototype }) => getters(prototype));
	return {
		localName: ofElement!("localName"),
		assignedSlot: ofElement!("assignedSlot"),
		shadowRoot: ofElement!("shadowRoot"),
		nodeType: ofNode!("nodeType"),
		firstChild: ofNode!("firstChild"),
		nextSibling: ofNode!("nextSibling"),
		parentElement: ofNode!("parentElement"),
		rootNode: (node) => getRootNode.call(node),
		matches: (element, selector) => matches.call(element, selector),
		attribute: (element, name) => getAttribute.call(element, name),
	};
}

function getters(prototype: object) {
	return <Value>(name: string): ((of: Node) => Value) => {
		const read = Object.getOwnPropertyDescriptor(prototype, name)!.get!;
		return (of) => read.call(of);
	};
}
