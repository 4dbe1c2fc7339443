import type { Config } from "../config/config";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether the server can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
	return /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)$/.test(host);
}

/**
 * Which names of a `Host` header mean this server. On a loopback address a stranger's name that was
 * made to point here (DNS rebinding) is refused; a server that is open to the network has names that
 * it does not know, and its visitors are told apart by their cookies.
 */
export function ownHost({ host, publicUrl }: Pick<Config, "host" | "publicUrl">) {
	const publicHost = publicUrl && new URL(publicUrl).host;
	return (asked: string): boolean => {
		if (!isLoopback(host) || asked === publicHost) return true;
		const name = asked.replace(/:\d+$/, "").toLowerCase();
		return LOOPBACK.has(name) || name === host;
	};
}
