/** What this process holds, when everything that can go is gone. */
export function memory() {
	for (let i = 0; i < 4; i++) globalThis.gc();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
