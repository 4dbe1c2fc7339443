import type { IncomingMessage } from "node:http";

export const A2A_VERSION = "a2a-version";

/** Puts the version where the SDK looks for it: in the header alone, without a patch number. */
export function readVersion({ headers, url = "" }: IncomingMessage): void {
	const header = headers[A2A_VERSION];
	const version = (typeof header === "string" && header.trim()) || versionInQuery(url);
	if (version) headers[A2A_VERSION] = version.replace(/^(\d+\.\d+)\.\d+$/, "$1");
	else delete headers[A2A_VERSION];
}

function versionInQuery(url: string): string | undefined {
	const query = url.indexOf("?");
	if (query === -1) return undefined;
	const asked = [...new URLSearchParams(url.slice(query + 1))];
	return asked.find(([name]) => name.toLowerCase() === A2A_VERSION)?.[1].trim();
}
