import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { EVENTS_LOG, pendingRequests } from "@baton/agent";
import { spawnNode, waitFor } from "@baton/testkit";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, describe, expect, it } from "vitest";
import { createRelayHandler, type RelayCredentials } from "../src/relay";
import type { RelayRequest, RelayResponse } from "../src/types";
import { EventStream } from "./event-stream";
import { nameField } from "./messages";
import { serve } from "./serve";
import { memory, newSession, redis, type StoreUnderTest, type TwoRelays } from "./stores";

const program = fileURLToPath(new URL("../dist/mcp/server.js", import.meta.url));

const environment = (url: string, { sessionId, token }: RelayCredentials, timeoutMs = 20_000) => ({
	PATH: process.env.PATH ?? "",
	BROWSER_TOOL_RELAY_URL: url,
	BROWSER_TOOL_RELAY_SESSION_ID: sessionId,
	BROWSER_TOOL_RELAY_TOKEN: token,
	BROWSER_TOOL_RELAY_TIMEOUT_MS: `${timeoutMs}`,
});

/** What each test started, ended in reverse. */
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** The relay on two HTTP servers, one for the agent and one for the page. */
async function startRelay(under: StoreUnderTest = memory) {
	const relays = await under.open();
	cleanUps.push(() => relays.close());
	const forAgent = await serve(createRelayHandler({ store: relays.a }));
	cleanUps.push(() => forAgent.close());
	const forPage = await serve(createRelayHandler({ store: relays.b }));
	cleanUps.push(() => forPage.close());
	return { relays, forAgent, forPage, ...(await newSession(relays, "u1")) };
}

/** The real program, driven by the real MCP client over its standard streams. */
async function startClient(url: string, credentials: RelayCredentials, timeoutMs?: number) {
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [program],
		env: environment(url, credentials, timeoutMs),
		stderr: "pipe",
	});
	let stderr = "";
	transport.stderr?.on("data", (chunk) => {
		stderr += chunk;
	});
	const client = new Client({ name: "test", version: "1.0.0" });
	await client.connect(transport);
	cleanUps.push(async () => {
		await client.close();
		expect(stderr).not.toContain(credentials.token);
	});
	const call = async (name: string, args: Record<string, unknown>) => {
		const { content, isError } = await client.callTool({ name, arguments: args });
		const [item] = content as { type: string; text: string }[];
		return { text: item!.text, isError: isError ?? false };
	};
	return { client, call };
}

/** A page that answers every request by the HTTP door, as long as the test runs. */
async function startPage(
	url: string,
	{ sessionId, token }: RelayCredentials,
	answer: (request: RelayRequest) => RelayResponse,
) {
	const query = new URLSearchParams({ type: "relay.events", sessionId, token });
	const events = new EventStream(await fetch(`${url}?${query}`));
	await events.nextEvent();
	const requests: RelayRequest[] = [];
	void (async () => {
		for (;;) {
			const { data } = await events.nextEvent();
			const request = data as RelayRequest;
			requests.push(request);
			await fetch(url, {
				method: "POST",
				headers: { Authorization: `Bearer ${token}` },
				body: JSON.stringify({ type: "relay.respond", sessionId, response: answer(request) }),
			});
		}
	})().catch(() => {});
	cleanUps.push(() => events.close());
	return requests;
}

function answerForm(request: RelayRequest): RelayResponse {
	const { requestId } = request;
	return request.type === "snapshot_request"
		? { type: "snapshot_response", requestId, fields: [nameField] }
		: { type: "execute_response", requestId, report: { applied: 1, skipped: 0, warnings: [] } };
}

const snapshotCall = ["getFormSnapshot", { instruction: "Read" }] as const;

describe("browser-tool-mcp", () => {
	it("is the server browser_tool_relay with two tools", async () => {
		const { forAgent, agent } = await startRelay();
		const { client } = await startClient(forAgent.url, agent);
		expect(client.getServerVersion()).toMatchObject({ name: "browser_tool_relay" });
		const { tools } = await client.listTools();
		expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
			["getFormSnapshot", ["instruction"]],
			["executeFormActions", ["actions"]],
		]);
	});

	describe.each([memory, redis])("on $name", (under) => {
		it.skipIf(!under.available)("reads and fills the form in the page", async () => {
			const { forAgent, forPage, agent, page, relays, agentSessionId } = await startRelay(under);
			const requests = await startPage(forPage.url, page, answerForm);
			const { call } = await startClient(forAgent.url, agent);
			const snapshot = await call("getFormSnapshot", { instruction: "Read", document: "Ada" });
			expect(snapshot.isError).toBe(false);
			expect(JSON.parse(snapshot.text)).toEqual({ fields: [nameField] });
			const actions = [{ action: "fill", fieldId: "f1", value: "Ada" }];
			const report = await call("executeFormActions", { actions, fields: [nameField] });
			expect(JSON.parse(report.text)).toEqual({
				report: { applied: 1, skipped: 0, warnings: [] },
			});
			await call("executeFormActions", { actions });
			expect(requests).toMatchObject([
				{ type: "snapshot_request", instruction: "Read", document: "Ada", run_id: "u1" },
				{ type: "execute_request", actions, fields: [nameField] },
				{ type: "execute_request", actions, fields: [] },
			]);
			expect(await pendingRequests(relays.sessions, agentSessionId)).toEqual([]);
		});
	});

	it.each([
		["the person's no", { code: "denied", message: "not now" }, "The person said no: not now"],
		["a page's error", { message: "no form here" }, "The page could not do it: no form here"],
	])("tells the model %s in words", async (_, details, words) => {
		const { forAgent, forPage, agent, page } = await startRelay();
		await startPage(forPage.url, page, ({ requestId }) => ({
			type: "error_response",
			requestId,
			...details,
		}));
		const { call } = await startClient(forAgent.url, agent);
		expect(await call(...snapshotCall)).toEqual({ isError: true, text: words });
	});

	it("tells the model that nobody answered, and the request is closed", async () => {
		const { forAgent, agent, relays, agentSessionId } = await startRelay();
		const { call } = await startClient(forAgent.url, agent, 50);
		const { isError, text } = await call(...snapshotCall);
		expect(isError).toBe(true);
		expect(text).toMatch(/did not answer in time.*\(TIMEOUT\)/);
		expect(await pendingRequests(relays.sessions, agentSessionId)).toEqual([]);
	});

	it("tells the model that its credentials are no longer taken", async () => {
		const { forAgent, agent, relays } = await startRelay();
		const { call } = await startClient(forAgent.url, agent);
		await relays.a.revokeRelaySession(agent.sessionId);
		const { isError, text } = await call(...snapshotCall);
		expect(isError).toBe(true);
		expect(text).toContain("UNAUTHORIZED");
	});

	it("asks no page to do what is not an action", async () => {
		const { forAgent, agent, relays, agentSessionId } = await startRelay();
		const { call } = await startClient(forAgent.url, agent);
		const actions = [{ action: "fill", fieldId: "f1" }];
		const { isError, text } = await call("executeFormActions", { actions });
		expect(isError).toBe(true);
		expect(text).toContain("value");
		expect((await relays.sessions.state(agentSessionId, EVENTS_LOG)).last).toBe(0);
	});

	it("goes on when the server is restarted while it waits: the page is asked once", async () => {
		const { forAgent, forPage, agent, page, relays, agentSessionId } = await startRelay();
		const { call } = await startClient(forAgent.url, agent);
		const result = call(...snapshotCall);
		await waitForRequest(relays, agentSessionId);
		await forAgent.close();
		const requests = await startPage(forPage.url, page, answerForm);
		await waitFor(() => requests.length === 1);
		const again = await serve(createRelayHandler({ store: relays.a }), forAgent.port);
		cleanUps.push(() => again.close());
		expect(JSON.parse((await result).text)).toEqual({ fields: [nameField] });
		const { entries } = await relays.sessions.read(agentSessionId, EVENTS_LOG);
		expect(entries.map(({ event }) => (event as { type: string }).type)).toEqual([
			"snapshot_request",
			"request_answered",
		]);
	});

	it("without its settings says which are missing, and ends", async () => {
		const process = spawnNode(program, {
			env: {
				BROWSER_TOOL_RELAY_URL: "not an address",
				BROWSER_TOOL_RELAY_SESSION_ID: "",
				BROWSER_TOOL_RELAY_TOKEN: "very-secret",
			},
		});
		expect(await process.exited).toMatchObject({ code: 1 });
		expect(process.stderr).toContain("BROWSER_TOOL_RELAY_URL is not valid");
		expect(process.stderr).toContain("BROWSER_TOOL_RELAY_SESSION_ID is not set");
		expect(process.stderr).not.toContain("very-secret");
	});

	it("ends when its client is gone, also while it waits for a page", async () => {
		const { forAgent, agent, relays, agentSessionId } = await startRelay();
		// It would wait for longer than this test does.
		const env = environment(forAgent.url, agent, 120_000);
		const child = spawn(process.execPath, [program], { env });
		const ended = new Promise((resolve) => child.once("exit", resolve));
		cleanUps.push(async () => child.kill("SIGKILL"));
		const [name, args] = snapshotCall;
		const send = (message: object) =>
			child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
		const clientInfo = { name: "test", version: "1.0.0" };
		const version = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
		send({ id: 1, method: "initialize", params: version });
		send({ method: "notifications/initialized" });
		send({ id: 2, method: "tools/call", params: { name, arguments: args } });
		await waitForRequest(relays, agentSessionId);
		// What the death of a client does: its end of the pipe closes, and no signal is sent.
		child.stdin.end();
		expect(await ended).toBe(0);
	});
});

async function waitForRequest(relays: TwoRelays, agentSessionId: string): Promise<void> {
	await waitFor(async () => (await pendingRequests(relays.sessions, agentSessionId)).length === 1);
}
