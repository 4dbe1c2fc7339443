const addresses = new WeakMap<Request, string>();

/** Notes from where a request came: a web `Request` has no place for it. */
export function noteAddress(request: Request, address: string | undefined): void {
	// An IPv4 address on a socket of both kinds is the same address.
	if (address !== undefined) addresses.set(request, address.replace(/^::ffff:/i, ""));
}

/** The other end of the connection, which may be a proxy. */
export function addressOf(request: Request): string | undefined {
	return addresses.get(request);
}
