/** What the command's exit code means. */
export const EXIT = {
	ok: 0,
	/** It failed, or doctor found something that does not work. */
	failed: 1,
	/** It was called or configured wrongly: the same call will fail again. */
	misused: 2,
	/** What was named is not there, or is somebody else's. */
	notFound: 3,
} as const;
