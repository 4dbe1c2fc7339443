/** Shorter values are words that occur anywhere; a key is never that short. */
const SHORTEST_SECRET = 8;

/** A function that takes known secrets out of a text. */
export function createRedactor(secrets: Iterable<string | undefined>): (text: string) => string {
	const known = [...new Set(secrets)]
		.filter((secret): secret is string => (secret?.length ?? 0) >= SHORTEST_SECRET)
		// The longest first: one may be part of another.
		.sort((a, b) => b.length - a.length);
	return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, "[removed]"), text);
}
