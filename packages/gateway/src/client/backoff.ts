/** How long to wait before the next try: longer each time, and not at the same moment as others. */
export function backoffMs(tries: number, minMs: number, maxMs: number): number {
	const longest = Math.min(minMs * 2 ** Math.min(tries, 30), maxMs);
	return longest / 2 + Math.random() * (longest / 2);
}
