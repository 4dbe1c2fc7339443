/** What a server that is this app's own notes the other end of the connection in. */
export const PEER_HEADER = "baton-peer";

/**
 * Where a request comes from. Each proxy adds to the right of `X-Forwarded-For` whom it heard it from;
 * what stands further left than the trusted ones wrote, anyone may have made up.
 */
export function callerAddress(headers: Headers, peer: string, trustedProxies: number): string {
	const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((name) => name.trim());
	const chain = [...forwarded.filter(Boolean), peer];
	const address = chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? peer;
	// An IPv4 address on a socket of both kinds is the same address.
	return address.replace(/^::ffff:/i, "");
}
