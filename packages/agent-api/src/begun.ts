/** The same items, the first of which is asked for now: it is there when someone comes for it. */
export function begun<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
	return begin(items).all;
}

/** The same once the first is there, or `ms` have passed. */
export async function begunWithin<T>(
	ms: number,
	items: AsyncIterable<T>,
): Promise<AsyncGenerator<T, void, undefined>> {
	const { first, all } = begin(items);
	await new Promise<void>((resolve) => {
		const timer = setTimeout(resolve, ms);
		const there = () => {
			clearTimeout(timer);
			resolve();
		};
		first.then(there, there);
	});
	return all;
}

function begin<T>(items: AsyncIterable<T>) {
	const source = items[Symbol.asyncIterator]();
	const first = source.next();
	// Whoever reads it learns of a failure; should nobody, there is nobody to tell.
	first.catch(() => {});
	return { first, all: rest(first, source) };
}

async function* rest<T>(
	first: Promise<IteratorResult<T>>,
	source: AsyncIterator<T>,
): AsyncGenerator<T, void, undefined> {
	try {
		for (let next = first; ; next = source.next()) {
			const { done, value } = await next;
			if (done) return;
			yield value;
		}
	} finally {
		await source.return?.();
	}
}
