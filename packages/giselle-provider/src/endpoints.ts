/** The address of `run`, from an origin, an `…/agent-api` folder, or the address itself. */
export function runEndpoint(cloudApiUrl: string): string {
	const url = new URL(cloudApiUrl);
	const path = url.pathname.replace(/\/+$/, "");
	if (path === "") url.pathname = "/agent-api/run";
	else if (path.endsWith("/agent-api")) url.pathname = `${path}/run`;
	else url.pathname = path;
	return url.href;
}

/** The address of another route, beside `run`; null where the name of `run` tells nothing. */
export function besideRun(endpoint: string, route: "abort" | "relay"): string | null {
	const url = new URL(endpoint);
	if (!url.pathname.endsWith("/run")) return null;
	url.pathname = url.pathname.replace(/run$/, route);
	return url.href;
}

/** For errors: an address without what may be secret in it. */
export function shownUrl(address: string): string {
	const url = new URL(address);
	return `${url.origin}${url.pathname}`;
}
