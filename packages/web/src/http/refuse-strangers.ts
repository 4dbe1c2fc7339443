import { WebError } from "./web-error";

/**
 * Refuses what another site's page sends. The cookie is not sent from there at all, but on a machine
 * where everyone is the same owner no cookie is needed: a name that points at this machine, or a form
 * that posts to it, must not be enough.
 */
export function refuseStrangers(
	{ headers }: Pick<Request, "headers">,
	isOwnHost: (host: string) => boolean,
): void {
	const host = headers.get("host") ?? "";
	if (!isOwnHost(host)) {
		throw new WebError(421, "WRONG_HOST", `This server does not answer to the name ${host}.`);
	}
	const site = headers.get("sec-fetch-site");
	if (site === null ? !isOwnOrigin(headers.get("origin"), host) : !SAME_SITES.has(site)) {
		throw new WebError(403, "FORBIDDEN", "Pages of other sites may not call this address.");
	}
}

/** The browser's own word, which no page can forge: of this origin, or typed by the person. */
const SAME_SITES = new Set(["same-origin", "none"]);

/** For what is no browser, or an old one. */
function isOwnOrigin(origin: string | null, host: string): boolean {
	return origin === null || (URL.canParse(origin) && new URL(origin).host === host);
}
