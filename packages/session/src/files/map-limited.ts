/** `Promise.all` of a map with at most `width` at work, so that many files do not mean many handles. */
export async function mapLimited<T, R>(
	items: readonly T[],
	width: number,
	work: (item: T) => Promise<R>,
): Promise<R[]> {
	const results = new Array<R>(items.length);
	let next = 0;
	async function worker(): Promise<void> {
		while (next < items.length) {
			const i = next++;
			results[i] = await work(items[i] as T);
		}
	}
	await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
	return results;
}
