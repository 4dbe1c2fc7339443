/** Size caps of the core. They hold for every driver; larger input is a `too_large` error. */
export const LIMITS = {
	/** One event as JSON, in UTF-8 bytes. */
	eventBytes: 4 * 1024 * 1024,
	/** Events in one append. */
	batchEvents: 10_000,
	/** All events of one append together, in UTF-8 bytes. */
	batchBytes: 16 * 1024 * 1024,
	/** A record's value as JSON, in UTF-8 bytes. */
	recordBytes: 1024 * 1024,
	/** Aliases of one record. */
	aliases: 10_000,
	/** The longest list page and read slice. */
	page: 1_000,
	readSlice: 10_000,
	/** Text of an alias, a group, a holder or an idempotency key, in characters. */
	text: 512,
	/** A time to live or lease, in milliseconds: up to ten years. */
	durationMs: 10 * 365 * 24 * 3_600_000,
} as const;
