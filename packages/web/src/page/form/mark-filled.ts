/** Shows that the agent has just filled a field; until the person changes it. */
export function markFilled(element: HTMLElement): void {
	const field = element.closest<HTMLElement>("[data-field]");
	if (!field) return;
	field.dataset.filled = "";
	// Anew, also when it was filled just before.
	for (const animation of field.getAnimations()) animation.cancel();
	if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
	field.animate([{ backgroundColor: "var(--glow)" }, { backgroundColor: "transparent" }], {
		duration: 1_600,
		easing: "ease-out",
	});
}
