import { expect, it } from "vitest";
import { AgentApiClient } from "./agent-api-client";

const INIT = {
	method: "POST",
	headers: { "content-type": "application/json" },
	body: JSON.stringify({ a: 1 }),
};

it.each<[string, [RequestInfo | URL, RequestInit?]]>([
	["text", ["http://elsewhere.invalid/base/agent-api/relay?x=1", INIT]],
	["a URL", [new URL("http://elsewhere.invalid/agent-api/relay?x=1"), INIT]],
	["a request", [new Request("http://elsewhere.invalid/agent-api/relay?x=1", INIT)]],
])("hands a call by %s to the host, as the visitor, under its own address", async (_, call) => {
	const asked: [string, Request][] = [];
	const client = new AgentApiClient(
		{
			fetch: () => Promise.reject(new Error("not asked")),
			fetchAs: async (owner, request) => {
				asked.push([owner, request]);
				return new Response(null, { status: 204 });
			},
		},
		"ada",
	);
	expect((await client.fetch(...call)).status).toBe(204);
	expect(asked).toHaveLength(1);
	const [owner, request] = asked[0]!;
	expect(owner).toBe("ada");
	expect(request.url).toBe("http://agent-api.invalid/agent-api/relay?x=1");
	expect(request.method).toBe("POST");
	expect(request.headers.get("content-type")).toBe("application/json");
	expect(request.headers.get("baton-door")).toBe("web");
	expect(await request.json()).toEqual({ a: 1 });
});
