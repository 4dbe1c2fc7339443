import { getHost } from "../../../../src/host/host";

/** The relay: requests of agents as server-sent events, and the answers of pages. */
async function relay(request: Request): Promise<Response> {
	return (await getHost()).agentApi.fetch(request);
}

export { relay as GET, relay as OPTIONS, relay as POST };
