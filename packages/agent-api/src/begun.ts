type Pieces = AsyncGenerator<string, void, undefined>;

/** The same pieces, the first of which is asked for now: it is there when someone comes for it. */
export function begun(pieces: Pieces): Pieces {
	const first = pieces.next();
	// Whoever reads it learns of a failure; should nobody, there is nobody to tell.
	first.catch(() => {});
	return rest(first, pieces);
}

async function* rest(first: ReturnType<Pieces["next"]>, pieces: Pieces): Pieces {
	try {
		const { done, value } = await first;
		if (done) return;
		yield value;
		yield* pieces;
	} finally {
		await pieces.return();
	}
}
