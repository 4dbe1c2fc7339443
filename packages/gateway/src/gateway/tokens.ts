/** Who a token belongs to. The gateway asks at every handshake, so that a change counts at once. */
export interface GatewayTokens {
	/** The owner, and a version of the token that stands in for it; null for a wrong one. */
	resolve(token: string): Promise<{ owner: string; version: string } | null>;
	/** Whether a token of this version is still good: sockets of one that is not are closed. */
	isCurrent(version: string): Promise<boolean>;
}
