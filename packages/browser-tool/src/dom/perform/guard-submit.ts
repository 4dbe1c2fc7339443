/**
 * Keeps a form from being sent by an action that nobody was asked about: a click on a harmless button,
 * a page that sends when a field changes.
 */
export function guardSubmit(element: HTMLElement): { wasBlocked(): boolean; release(): void } {
	let blocked = false;
	const stop = (event: Event) => {
		blocked = true;
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	// A form's submit does not leave its shadow tree.
	const places = new Set<EventTarget>([element.getRootNode(), element.ownerDocument]);
	for (const place of places) place.addEventListener("submit", stop, true);
	return {
		wasBlocked: () => blocked,
		release() {
			for (const place of places) place.removeEventListener("submit", stop, true);
		},
	};
}
