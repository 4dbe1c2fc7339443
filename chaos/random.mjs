/** Numbers from a seed, so that a run can be told apart from another. Scheduling stays by chance. */
export function createRandom(seed) {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		/** A whole number, both ends included. */
		between: (low, high) => low + Math.floor(next() * (high - low + 1)),
		pick: (list) => list[Math.floor(next() * list.length)],
	};
}
