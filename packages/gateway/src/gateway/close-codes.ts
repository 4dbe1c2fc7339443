/** Why the gateway closes a socket, beyond the codes that WebSocket itself defines. */
export const CLOSE = {
	/** The server stops or restarts: come back, from your cursor. */
	restart: 1012,
	/** A frame is too large. */
	tooLarge: 1009,
	/** The token is wrong, or no longer the one that is set. */
	unauthorized: 4401,
	/** It took too long to authenticate. */
	handshakeTimeout: 4408,
	/** It does not read what it is sent: come back, from your cursor. */
	slowReader: 4410,
	/** Too many wrong tokens. */
	lockedOut: 4429,
} as const;
