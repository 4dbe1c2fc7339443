import { createHash, timingSafeEqual } from "node:crypto";
import type { MetricsAccess } from "../config/operations-config";
import { IncomingRequest } from "../http/incoming-request";
import { errorResponse, type Fetch, nothingHere } from "../http/request-listener";
import { isLoopback } from "../web/own-host";
import type { Metrics } from "./metrics";

/** What proxies add: behind one, everybody seems to come from this machine. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/** Serves the figures to those who may have them; for others there is nothing at this address. */
export function createMetricsRoute(metrics: Metrics, access: MetricsAccess): Fetch {
	return async (request) => {
		if (!isAllowed(request, access)) {
			if (access.kind === "loopback") return nothingHere();
			return errorResponse(401, "UNAUTHORIZED", "Send the key of BATON_METRICS_KEY.", {
				"WWW-Authenticate": "Bearer",
			});
		}
		if (request.method !== "GET" && request.method !== "HEAD") {
			return errorResponse(405, "METHOD_NOT_ALLOWED", "This address takes GET.", { Allow: "GET" });
		}
		const headers = { "Content-Type": metrics.contentType, "Cache-Control": "no-store" };
		return new Response(await metrics.text(), { headers });
	};
}

function isAllowed(request: Request, access: MetricsAccess): boolean {
	if (access.kind === "key") return isKey(request, access.key);
	if (FORWARDED.some((name) => request.headers.has(name))) return false;
	// By a name of this machine: a stranger's name may have been made to point here (DNS rebinding).
	const { hostname } = new URL(request.url);
	return isLoopback(hostname) && isLoopback(addressOf(request));
}

/** Compared by digest, so that neither the length nor the place of a difference shows. */
function isKey(request: Request, key: string): boolean {
	const sent = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return sent !== undefined && timingSafeEqual(digest(sent), digest(key));
}

/** Unknown, and so nobody's, for a request that did not come by our server. */
function addressOf(request: unknown): string {
	return (request instanceof IncomingRequest && request.address) || "";
}
