/** A value of the store: plain JSON. */
export type SessionValue = Record<string, unknown>;

/**
 * Where the provider keeps what must outlive a request. Anything with an atomic update will do: the
 * default is Redis or this process, and Baton's own store fits too.
 *
 * What expired reads as absent, and every write sets the time to live anew. Values are copied on
 * the way in and out. A call that cannot reach its store rejects in bounded time.
 */
export interface SessionPort {
	get(key: string): Promise<SessionValue | null>;
	set(key: string, value: SessionValue, ttlMs: number): Promise<void>;
	/**
	 * Replaces the value by what `change` makes of it, atomically; `change` may be called more than
	 * once. Null from `change` leaves everything as it is. Returns what is stored then. `expected` is
	 * what the caller believes to be stored: a port may spare a read where that is right.
	 */
	update(
		key: string,
		change: (value: SessionValue | null) => SessionValue | null,
		ttlMs: number,
		expected?: SessionValue,
	): Promise<SessionValue | null>;
	delete(key: string): Promise<void>;
}
