import { windowOf } from "../tree";

/**
 * Gives a field the focus, as a page expects before it changes, and returns what takes it away again
 * and puts it back where the person had it. In a window without focus the browser tells nobody, so
 * the events are told by hand.
 */
export function takeFocus(element: HTMLElement): () => void {
	const before = activeElement(element.ownerDocument);
	tellIfSilent(element, "focus", () => element.focus({ preventScroll: true }));
	return () => {
		tellIfSilent(element, "blur", () => element.blur());
		if (!before || before === element || !before.isConnected) return;
		before.focus({ preventScroll: true });
	};
}

function tellIfSilent(element: HTMLElement, type: "focus" | "blur", act: () => void): void {
	let told = false;
	const listen = () => {
		told = true;
	};
	element.addEventListener(type, listen, true);
	act();
	element.removeEventListener(type, listen, true);
	if (told) return;
	const { FocusEvent } = windowOf(element);
	element.dispatchEvent(new FocusEvent(type));
	const bubbling = type === "focus" ? "focusin" : "focusout";
	element.dispatchEvent(new FocusEvent(bubbling, { bubbles: true, composed: true }));
}

function activeElement(document: Document): HTMLElement | null {
	let active = document.activeElement;
	while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
	return active === document.body ? null : (active as HTMLElement | null);
}
