import { getHost } from "../../../src/host/host";

/** The agent API itself, for callers with keys. */
export async function POST(request: Request): Promise<Response> {
	return (await getHost()).agentApi.fetch(request);
}
