/** Milliseconds that the work took. */
export async function timed(work) {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

/**
 * Runs both sides in turns, changing who goes first, and compares them round by round: what disturbs
 * the machine for a while disturbs both. Each side resolves to its own figure (less is better).
 */
export async function compare({ rounds, warmups = 2, ours, peer }) {
	const results = [];
	for (let round = -warmups; round < rounds; round++) {
		const pair = {};
		const sides = [
			["ours", ours],
			["peer", peer],
		];
		if (round % 2) sides.reverse();
		for (const [side, measure] of sides) {
			pair[side] = await measure(round);
		}
		if (round >= 0) results.push(pair);
	}
	const ratios = results.map((pair) => pair.ours / pair.peer);
	return {
		ours: median(results.map((pair) => pair.ours)),
		peer: median(results.map((pair) => pair.peer)),
		ratio: median(ratios),
		/** The middle half of the rounds: how steady the ratio was. */
		spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
	};
}

/** The median of what the measure gives when it is taken several times in a row. */
export async function medianOf(times, measure) {
	const values = [];
	for (let i = 0; i < times; i++) values.push(await measure());
	return median(values);
}

/** A row of the table from a comparison whose ratio must not exceed `reach`. */
export function ratioRow({ work, measure, unit = "ms", reach, shownReach }, result) {
	return {
		work,
		measure,
		unit,
		...result,
		reach: `≤ ${shownReach ?? reach}`,
		pass: result.ratio <= reach,
	};
}

export function median(values) {
	return quantile(values, 0.5);
}

function quantile(values, q) {
	const sorted = values.toSorted((a, b) => a - b);
	const at = (sorted.length - 1) * q;
	const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
	return low + (high - low) * (at - Math.floor(at));
}
