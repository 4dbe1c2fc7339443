import type { Readiness, ReadinessCheck } from "./readiness";
import { errorResponse, type Fetch, nothingHere } from "./request-listener";

interface RoutesOptions {
	version: string;
	agentApi: Fetch;
	/** Absent: the figures are not served. */
	metrics: Fetch | undefined;
	readiness: ReadinessCheck;
	/** True once the process is on its way out. */
	isStopping: () => boolean;
}

/** Which door an address belongs to. */
export function createRoutes(options: RoutesOptions): Fetch {
	const { version, agentApi, metrics, readiness, isStopping } = options;
	return async (request) => {
		const { pathname } = new URL(request.url);
		if (pathname === "/health") return health(version, isStopping());
		if (pathname === "/ready") return ready(await readiness.readiness(isStopping()));
		if (pathname === "/metrics" && metrics) return metrics(request);
		if (!pathname.startsWith("/agent-api/")) {
			return nothingHere();
		}
		// Answers of pages still count while turns are drained; new turns belong to the next process.
		if (isStopping() && pathname === "/agent-api/run") {
			const headers = { "Retry-After": "1", Connection: "close" };
			return errorResponse(503, "UNAVAILABLE", "The server is stopping; try again.", headers);
		}
		return agentApi(request);
	};
}

function health(version: string, stopping: boolean): Response {
	const body = {
		status: stopping ? "stopping" : "ok",
		uptime: Math.round(process.uptime()),
		service: "baton",
		version,
	};
	const headers = { "Cache-Control": "no-store" };
	return Response.json(body, { status: stopping ? 503 : 200, headers });
}

/** For whoever sends requests here: 503 means "to another instance". */
function ready(status: Readiness): Response {
	const headers = {
		"Cache-Control": "no-store",
		...(status !== "ready" && { "Retry-After": "1" }),
	};
	return Response.json({ status }, { status: status === "ready" ? 200 : 503, headers });
}
