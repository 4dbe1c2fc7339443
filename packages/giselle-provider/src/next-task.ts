/** The next task of the event loop, or at once in a runtime that has no cheap way to wait for it. */
export function nextTask(): Promise<void> {
	const { setImmediate } = globalThis;
	return setImmediate ? new Promise((resolve) => setImmediate(resolve)) : Promise.resolve();
}
