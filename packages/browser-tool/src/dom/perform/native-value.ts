import { windowOf } from "../tree";

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/**
 * Sets a value by the prototype's own setter. React watches the element's, and would take the event
 * that follows for one about a change that it has made itself.
 */
export function setNativeValue(element: TextElement, value: string): void {
	const { HTMLInputElement, HTMLTextAreaElement } = windowOf(element);
	const { prototype } = element.localName === "textarea" ? HTMLTextAreaElement : HTMLInputElement;
	Object.getOwnPropertyDescriptor(prototype, "value")!.set!.call(element, value);
}

/** What a field like this one makes of a value, tried on an element that nobody sees. */
export function tryValue(element: TextElement, value: string): string {
	const probe = element.ownerDocument.createElement(element.localName) as HTMLInputElement;
	for (const name of ["type", "min", "max", "step"]) {
		const own = element.getAttribute(name);
		if (own !== null) probe.setAttribute(name, own);
	}
	setNativeValue(probe, value);
	return probe.value;
}
