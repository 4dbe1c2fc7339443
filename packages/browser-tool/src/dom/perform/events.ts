import { windowOf } from "../tree";

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

/** A key going down and up. */
export function pressKey(element: HTMLElement, key: string): void {
	for (const type of ["keydown", "keyup"]) tellKey(element, type, key);
}

export function tellKey(element: HTMLElement, type: string, key: string): void {
	const { KeyboardEvent } = windowOf(element);
	const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
	const init = { key, code, bubbles: true, composed: true, cancelable: true };
	element.dispatchEvent(new KeyboardEvent(type, init));
}

/** A press of the main button: some widgets act when it goes down, others on the click. */
export function press(element: HTMLElement): void {
	const { PointerEvent, MouseEvent } = windowOf(element);
	const init = {
		bubbles: true,
		composed: true,
		cancelable: true,
		pointerType: "mouse",
		pointerId: 1,
	};
	for (const [pointer, mouse, buttons] of [
		["pointerdown", "mousedown", 1],
		["pointerup", "mouseup", 0],
	] as const) {
		element.dispatchEvent(new PointerEvent(pointer, { ...init, isPrimary: true, buttons }));
		element.dispatchEvent(new MouseEvent(mouse, { ...init, detail: 1, buttons }));
	}
	// The element's own method: it also does what a click by a person would do.
	if (element.isConnected) element.click();
}
