/** What a snapshot holds at most. A page is not trusted, and an agent reads every word of it. */
export const LIMITS = {
	fields: 2_000,
	/** Elements that are looked at. */
	elements: 200_000,
	/** Characters of all texts together; a relay's event has 4 MiB. */
	characters: 1_000_000,
	/** Milliseconds that one snapshot may take of the page's time. */
	ms: 3_000,
	label: 200,
	description: 400,
	value: 4_000,
	options: 300,
	optionText: 100,
	legends: 5,
	opaque: 20,
	/** Actions of one call. */
	actions: 1_000,
	/** Characters that one action may fill in. */
	fill: 100_000,
} as const;
