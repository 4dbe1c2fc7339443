import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiKeys } from "@baton/agent";
import { afterEach, describe, expect, it } from "vitest";
import { parseRemoteAgents, type RemoteAgent } from "../../src/door";
import { ADA, BOB, type DoorFixture, openDoor } from "./door-fixture";

const DELEGATE = "delegate-key-0123456789";

/** Another Baton, asked with Ada's key. */
function remoteAt(url: string, more: Partial<RemoteAgent> = {}): RemoteAgent {
	const origins = new Set([new URL(url).origin]);
	return { alias: "other", url, description: "Another one", token: ADA, origins, ...more };
}

describe("delegation to agents elsewhere", () => {
	const opened: DoorFixture[] = [];
	const servers: Server[] = [];
	afterEach(async () => {
		for (const fixture of opened.splice(0)) await fixture.close();
		for (const server of servers.splice(0)) server.close();
	});
	const open = async (...settings: Parameters<typeof openDoor>) => {
		const fixture = await openDoor(...settings);
		opened.push(fixture);
		return fixture;
	};
	const serve = async (
		answer: (path: string) => { status: number; headers?: object; body: string },
	) => {
		const seen: { path: string; authorization: string | undefined }[] = [];
		const server = createServer((request, response) => {
			seen.push({ path: request.url ?? "", authorization: request.headers.authorization });
			const { status, headers, body } = answer(request.url ?? "");
			response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
		});
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
	};
	const call = (url: string, path: string, body?: unknown, key = ADA) =>
		fetch(`${url}/api/v1/${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});

	it("asks a remote agent, and goes on with the conversation", async () => {
		const remote = await open();
		const { url } = await open({ delegate: { agents: [remoteAt(remote.url)] } });
		const first = await call(url, "delegate", {
			agentAlias: "other",
			message: "My name is Grace.",
		});
		expect(first.status).toBe(200);
		const answer = (await first.json()) as { contextId: string };
		expect(answer).toMatchObject({
			taskId: expect.any(String),
			status: "completed",
			response: expect.stringContaining("Grace"),
			artifacts: [{ artifactId: "response-1", text: expect.stringContaining("Grace") }],
		});
		const { contextId } = answer;
		const second = await call(url, "delegate", {
			agentAlias: "other",
			message: "What is my name?",
			contextId,
		});
		expect(await second.json()).toMatchObject({ contextId, response: "Your name is Grace." });
	});

	it("opens a context to the caller that began it alone", async () => {
		const remote = await open();
		const { url } = await open({ delegate: { agents: [remoteAt(remote.url)] } });
		const body = { agentAlias: "other", message: "My name is Grace." };
		const { contextId } = (await (await call(url, "delegate", body)).json()) as {
			contextId: string;
		};
		const stolen = await call(url, "delegate", { ...body, contextId }, BOB);
		expect(stolen.status).toBe(404);
		expect(await stolen.json()).toMatchObject({
			error: { message: expect.stringContaining("context") },
		});
	});

	it("lists the agents, discovers their cards, and describes itself", async () => {
		const remote = await open();
		const { url } = await open({ delegate: { agents: [remoteAt(remote.url)] } });
		const list = await (await call(url, "agents")).json();
		expect(list).toEqual({ agents: [{ alias: "other", description: "Another one" }] });
		const found = await (await call(url, "agents/other/discover", {})).json();
		expect(found).toMatchObject({ alias: "other", card: { name: "demo" } });
		const description = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
			paths: object;
		};
		expect(Object.keys(description.paths)).toEqual([
			"/api/v1/delegate",
			"/api/v1/agents",
			"/api/v1/agents/{alias}/discover",
			"/health",
		]);
	});

	it("takes its own key, and then no other", async () => {
		const remote = await open();
		const keys = [ApiKeys.parse(`delegate:${DELEGATE}`)];
		const { url } = await open({ delegate: { agents: [remoteAt(remote.url)], keys } });
		expect((await call(url, "agents")).status).toBe(401);
		expect((await call(url, "agents", undefined, DELEGATE)).status).toBe(200);
		const a2a = await fetch(`${url}/tasks`, { headers: { authorization: `Bearer ${DELEGATE}` } });
		expect(a2a.status).toBe(401);
	});

	it.each([
		["an unknown alias", { agentAlias: "nobody", message: "hi" }, 404],
		["no message", { agentAlias: "other" }, 400],
		["a message that is no text", { agentAlias: "other", message: 5 }, 400],
		["no object", [], 400],
	])("refuses %s", async (_, body, status) => {
		const { url } = await open({ delegate: { agents: [remoteAt("http://127.0.0.1:1")] } });
		const response = await call(url, "delegate", body);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ error: { code: status } });
	});

	it("does not repeat what a remote agent says about its troubles", async () => {
		const remote = await serve(() => ({ status: 500, body: '{"secret":"inner-10.0.0.7"}' }));
		const fixture = await open({ delegate: { agents: [remoteAt(remote.url)] } });
		const response = await call(fixture.url, "delegate", { agentAlias: "other", message: "hi" });
		expect(response.status).toBe(502);
		expect(await response.text()).not.toContain("inner");
		expect(fixture.warnings).toHaveLength(1);
	});

	it("sends a token to the agent's own origin alone, and follows no redirect", async () => {
		const thief = await serve(() => ({ status: 200, body: "{}" }));
		const card = {
			name: "trap",
			description: "",
			version: "1",
			supportedInterfaces: [
				{ url: thief.url, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
			],
			capabilities: {},
			securitySchemes: {},
			securityRequirements: [],
			defaultInputModes: [],
			defaultOutputModes: [],
			skills: [],
			signatures: [],
		};
		const trap = await serve(() => ({ status: 200, body: JSON.stringify(card) }));
		const moved = await serve(() => ({ status: 302, headers: { location: thief.url }, body: "" }));
		for (const { url } of [trap, moved]) {
			const fixture = await open({ delegate: { agents: [remoteAt(url)] } });
			const response = await call(fixture.url, "delegate", { agentAlias: "other", message: "hi" });
			expect(response.status).toBe(502);
		}
		expect(trap.seen[0]?.authorization).toBe(`Bearer ${ADA}`);
		expect(thief.seen).toEqual([]);
	});

	it("gives up on a remote agent that takes too long", async () => {
		const remote = await open();
		const agents = [remoteAt(remote.url)];
		const { url } = await open({ delegate: { agents, timeoutMs: 300 } });
		const response = await call(url, "delegate", { agentAlias: "other", message: "/wait 60s" });
		expect(response.status).toBe(502);
	});
});

describe("the file of remote agents", () => {
	const parse = (value: unknown) => parseRemoteAgents(JSON.stringify(value), { TOKEN: "secret" });

	it("takes tokens by the name of their variable", () => {
		const [agent] = parse({ helper: { url: "https://a.example/x", token: "ENV:TOKEN" } });
		expect(agent).toMatchObject({ alias: "helper", token: "secret" });
		expect([...(agent?.origins ?? [])]).toEqual(["https://a.example"]);
	});

	it.each([
		["a token itself", { helper: { url: "https://a.example", token: "secret" } }, "ENV:NAME"],
		[
			"a variable that is not set",
			{ helper: { url: "https://a.example", token: "ENV:NONE" } },
			"NONE is not set",
		],
		["another scheme", { helper: { url: "file:///etc/passwd" } }, "helper.url"],
		["a field nobody knows", { helper: { url: "https://a.example", tokn: "ENV:TOKEN" } }, "helper"],
		["an alias with a slash", { "a/b": { url: "https://a.example" } }, "a/b"],
	])("refuses %s", (_, value, reason) => {
		expect(() => parse(value)).toThrow(reason);
	});
});
