import { windowOf } from "../tree";

const CODES: Record<string, string> = { " ": "Space" };

/** What a change of text or choice is told by. React and Vue listen to one or the other. */
export function tellChange(element: HTMLElement, data?: string): void {
	tellInput(element, "insertReplacementText", data);
	element.dispatchEvent(new (windowOf(element).Event)("change", { bubbles: true }));
}

export function tellInput(element: HTMLElement, inputType: string, data?: string): void {
	const { InputEvent } = windowOf(element);
	element.dispatchEvent(
		new InputEvent("input", { bubbles: true, composed: true, inputType, data: data ?? null }),
	);
}

/** A key going down and up. False when the page has prevented what it would have done. */
export function pressKey(element: HTMLElement, key: string): void {
	for (const type of ["keydown", "keyup"]) tellKey(element, type, key);
}

export function tellKey(element: HTMLElement, type: string, key: string): void {
	const { KeyboardEvent } = windowOf(element);
	const code = CODES[key] ?? (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key);
	const init = { key, code, bubbles: true, composed: true, cancelable: true };
	element.dispatchEvent(new KeyboardEvent(type, init));
}

/** A press of the main button: some widgets act when it goes down, others on the click. */
export function press(element: HTMLElement): void {
	const { PointerEvent, MouseEvent } = windowOf(element);
	const box = element.getBoundingClientRect();
	const init = {
		bubbles: true,
		composed: true,
		cancelable: true,
		view: windowOf(element),
		button: 0,
		clientX: box.x + box.width / 2,
		clientY: box.y + box.height / 2,
	};
	const pointer = { ...init, pointerId: 1, pointerType: "mouse", isPrimary: true };
	element.dispatchEvent(new PointerEvent("pointerdown", { ...pointer, buttons: 1 }));
	element.dispatchEvent(new MouseEvent("mousedown", { ...init, buttons: 1, detail: 1 }));
	element.dispatchEvent(new PointerEvent("pointerup", pointer));
	element.dispatchEvent(new MouseEvent("mouseup", { ...init, detail: 1 }));
	// The element's own method: it also does what a click by a person would do.
	if (element.isConnected) element.click();
}
