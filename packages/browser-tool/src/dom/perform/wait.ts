/** The next task: what the page does at once about an event, it has done. */
export function nextTask(): Promise<void> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			resolve();
		};
		port2.postMessage(null);
	});
}

/** The frame after the next; where none is drawn, as in a tab that is not shown, a timer of such a tab. */
export function nextFrame(): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, 1_000);
		requestAnimationFrame(() =>
			requestAnimationFrame(() => {
				clearTimeout(timer);
				resolve();
			}),
		);
	});
}

/** What `look` finds, once it finds something; undefined after `ms`, or when nobody wants it. */
export async function waitUntil<Found>(
	look: () => Found | undefined,
	ms: number,
	signal?: AbortSignal,
): Promise<Found | undefined> {
	const end = performance.now() + ms;
	for (;;) {
		const found = look();
		if (found !== undefined || performance.now() >= end || signal?.aborted) return found;
		await nextFrame();
	}
}
