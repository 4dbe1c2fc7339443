/** What one gateway takes on. Each has a stated thing that happens when it is reached. */
export interface GatewayLimits {
	/** To authenticate after connecting; then the socket is closed with 4408. */
	handshakeMs: number;
	/** Bytes from a socket that has not authenticated; then 1009. */
	preAuthBytes: number;
	/** One frame from a client; a larger one closes the socket with 1009. */
	frameBytes: number;
	/** Sockets of one address at once; the next is refused with HTTP 429. */
	socketsPerAddress: number;
	/** Wrong tokens from one address in a minute, pages apart from programs; then it is locked out. */
	refusedPerMinute: number;
	lockOutMs: number;
	/** How often a silent socket is pinged. Two pings without a sign of life end it. */
	pingMs: number;
	/** Bytes that wait for one reader; beyond it, it gets its deltas merged and is read no more. */
	bufferBytes: number;
	/** How long a reader may take for each full buffer that waits for it; then it is closed with 4410. */
	slowMs: number;
	/** Requests of one socket that wait for their turn; the next ones wait in the network. */
	pendingRequests: number;
	/** The messages of one answer, in bytes; the older ones come with the next page. */
	answerBytes: number;
}

export const DEFAULT_LIMITS: GatewayLimits = {
	handshakeMs: 15_000,
	preAuthBytes: 64 * 1024,
	frameBytes: 1024 * 1024,
	socketsPerAddress: 256,
	refusedPerMinute: 10,
	lockOutMs: 5 * 60_000,
	pingMs: 30_000,
	bufferBytes: 1024 * 1024,
	slowMs: 30_000,
	pendingRequests: 64,
	answerBytes: 1024 * 1024,
};
