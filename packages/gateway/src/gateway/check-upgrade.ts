import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

interface UpgradeRules {
	/** Pages of other origins that may connect, as browsers send them. */
	origins: readonly string[];
	/** Names under which this server is reached, beyond loopback and addresses. */
	hosts: readonly string[];
}

interface Refusal {
	status: number;
	message: string;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a request may become a socket. Pages of elsewhere may not: not by their own origin, and not
 * by a name of theirs that points here. A token in the address would end up in logs.
 */
export function checkUpgrade(request: IncomingMessage, rules: UpgradeRules): Refusal | null {
	const { host = "", origin } = request.headers;
	const name = hostName(host);
	if (name === null || !isOurs(name, rules.hosts)) {
		return { status: 403, message: "This server is not reached under that name." };
	}
	if (origin !== undefined && !mayConnect(origin, rules.origins)) {
		return { status: 403, message: "Pages of this origin may not connect." };
	}
	const query = new URLSearchParams((request.url ?? "").split("?")[1] ?? "");
	if (query.has("token")) {
		const message = "A token does not go into the address. Send it in the first frame.";
		return { status: 400, message };
	}
	return null;
}

function hostName(host: string): string | null {
	const url = `http://${host}`;
	return URL.canParse(url) ? new URL(url).hostname : null;
}

/** A name that points here by someone else's DNS is none of ours; an address cannot be one. */
function isOurs(name: string, hosts: readonly string[]): boolean {
	return LOOPBACK.has(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0 || hosts.includes(name);
}

function mayConnect(origin: string, allowed: readonly string[]): boolean {
	if (allowed.includes(origin)) return true;
	return URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname);
}
