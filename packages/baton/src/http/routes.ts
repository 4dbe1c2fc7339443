import { errorResponse, type Fetch } from "./request-listener";

interface RoutesOptions {
	version: string;
	agentApi: Fetch;
	/** True once the process is on its way out. */
	isStopping: () => boolean;
}

/** Which door an address belongs to. */
export function createRoutes({ version, agentApi, isStopping }: RoutesOptions): Fetch {
	return async (request) => {
		const { pathname } = new URL(request.url);
		if (pathname === "/health") return health(version, isStopping());
		if (!pathname.startsWith("/agent-api/")) {
			return errorResponse(404, "NOT_FOUND", "There is nothing at this address.");
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
