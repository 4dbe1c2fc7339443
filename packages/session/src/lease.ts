export interface LeaseOptions {
	/** Names the holder to people: host, process, purpose. At most 512 characters. */
	holder: string;
	ttlMs: number;
}

export interface Lease {
	readonly id: string;
	readonly holder: string;
	/** Fencing token: grows with every take of this session's lease. */
	readonly token: number;
	readonly ttlMs: number;
}
