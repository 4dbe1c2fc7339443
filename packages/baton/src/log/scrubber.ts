const REMOVED = "[removed]";

/** Shorter values are words that occur anywhere; a key is never that short. */
const SHORTEST_SECRET = 8;

/* What looks like a credential, whoever made it. Each keeps what tells a reader where it was. */
const PATTERNS: [RegExp, string][] = [
	[/\b(Bearer|Basic)(\s+|%20)[\w.~+/=-]{6,}/gi, `$1 ${REMOVED}`],
	// Credentials in an address: everything between "://" and "@". Passwords of Redis are often
	// written as they are, with slashes in them.
	[/(\bredis[a-z+]*:\/\/)[^\s"']*@/gi, `$1${REMOVED}@`],
	[/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'@]*(?:@[^\s/?#"'@]*)*@/gi, `$1${REMOVED}@`],
	// In a query, in JSON, or in JSON that is a text in JSON. Counts of tokens are no secrets.
	[
		/(\b[\w-]*(?:token|secret|password|passwd|api[_-]?key|apikey|authorization|cookie|credential)s?\b(?:\\*["'])?\s*(?:=|:|%3A|%3D)\s*)(\\*["']?)(?!\[removed\]|\d+(?:[,}\]\s]|$))(?:(?:Bearer|Basic)\s+)?[^\s"'\\&,;}\]]{6,}/gi,
		`$1$2${REMOVED}`,
	],
	[/([?&](?:key|sig|signature)=)[^&\s"'\\]+/gi, `$1${REMOVED}`],
	// Keys by the form that their makers gave them.
	[/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, REMOVED],
	[/\bAIza[A-Za-z0-9_-]{30,}/g, REMOVED],
	[/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REMOVED],
];

/** Takes secrets out of text: those that are known, and what looks like one. */
export class Scrubber {
	#known: string[] = [];

	constructor(secrets: Iterable<string> = []) {
		this.add(secrets);
	}

	/** A secret that came to be known later, such as a key that was just made. */
	add(secrets: Iterable<string>): void {
		const forms = [...secrets]
			.filter((secret) => secret.length >= SHORTEST_SECRET)
			.flatMap((secret) => [
				secret,
				JSON.stringify(secret).slice(1, -1),
				encodeURIComponent(secret),
				decoded(secret),
			]);
		// The longest first: one may be part of another.
		this.#known = [...new Set([...this.#known, ...forms])].sort((a, b) => b.length - a.length);
	}

	scrub(text: string): string {
		let rest = text;
		for (const secret of this.#known) rest = rest.replaceAll(secret, REMOVED);
		for (const [pattern, replacement] of PATTERNS) rest = rest.replace(pattern, replacement);
		return rest;
	}
}

function decoded(secret: string): string {
	try {
		return decodeURIComponent(secret);
	} catch {
		return secret;
	}
}
