import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AGENT_API_PATH } from "../../src/agentforce";
import { type AgentforceSimulator, startAgentforceSimulator } from "../../src/simulator";

/* The simulator holds clients to the rules of the API: else what passes here might fail there. */

let simulator: AgentforceSimulator;
let token: string;
beforeEach(async () => {
	simulator = await startAgentforceSimulator();
	const { clientId, clientSecret } = simulator.settings;
	const response = await fetch(`${simulator.url}/services/oauth2/token`, {
		method: "POST",
		body: new URLSearchParams({
			grant_type: "client_credentials",
			client_id: clientId,
			client_secret: clientSecret,
		}),
	});
	token = ((await response.json()) as { access_token: string }).access_token;
});
afterEach(() => simulator.stop());

function call(path: string, body?: unknown, init: RequestInit = {}) {
	return fetch(`${simulator.url}${AGENT_API_PATH}${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
		...(body !== undefined && { body: JSON.stringify(body) }),
		...init,
	});
}

const START = {
	externalSessionKey: randomUUID(),
	instanceConfig: { endpoint: "https://mydomain.example" },
	streamingCapabilities: { chunkTypes: ["Text"] },
	bypassUser: true,
};

async function start(): Promise<string> {
	const response = await call(`/agents/${simulator.settings.agentId}/sessions`, START);
	return ((await response.json()) as { sessionId: string }).sessionId;
}

const message = (sequenceId: number, text: string) => ({
	message: { type: "Text", sequenceId, text },
	variables: [],
});

describe("the simulator", () => {
	it("says that it is one, in its greeting and in what it answers", async () => {
		const response = await call(`/agents/${simulator.settings.agentId}/sessions`, START);
		const { messages, sessionId } = (await response.json()) as {
			messages: { message: string }[];
			sessionId: string;
		};
		expect(messages[0]?.message).toMatch(/simulator: no Salesforce org/);
		const answer = await call(`/sessions/${sessionId}/messages`, message(1, "Hello"));
		expect(await answer.text()).toMatch(/simulator: no Salesforce org/);
	});

	it("sends events as the API does: named in upper snake case, the message inside", async () => {
		const id = await start();
		const response = await call(`/sessions/${id}/messages/stream`, message(1, "count to 1"));
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		const events = (await response.text()).trim().split("\n\n");
		expect(events.map((event) => event.split("\n")[0])).toEqual([
			"event: PROGRESS_INDICATOR",
			"event: TEXT_CHUNK",
			"event: INFORM",
			"event: END_OF_TURN",
		]);
		expect(JSON.parse(events[1]?.split("\ndata: ")[1] ?? "")).toMatchObject({
			message: { type: "TextChunk", offset: 0, message: "1" },
		});
	});

	it("refuses a request without a token", async () => {
		const response = await call("/sessions/x/messages", {}, { headers: {} });
		expect(response.status).toBe(401);
		expect(await response.json()).toMatchObject({
			status: 401,
			path: expect.stringContaining("/sessions/x/messages"),
			requestId: expect.any(String),
			error: "Unauthorized",
			message: expect.any(String),
			timestamp: expect.any(Number),
		});
	});

	it("takes one request of a session at a time", async () => {
		const id = await start();
		const first = await call(`/sessions/${id}/messages/stream`, message(1, "/wait 60s"));
		const second = await call(`/sessions/${id}/messages`, message(2, "Hello"));
		expect(second.status).toBe(423);
		await first.body?.cancel();
		await expect
			.poll(async () => (await call(`/sessions/${id}/messages`, message(3, "Hello"))).status)
			.toBe(200);
	});

	it("wants sequence ids that grow", async () => {
		const id = await start();
		expect((await call(`/sessions/${id}/messages`, message(2, "Hello"))).status).toBe(200);
		expect((await call(`/sessions/${id}/messages`, message(2, "Hello"))).status).toBe(400);
		expect((await call(`/sessions/${id}/messages`, message(1, "Hello"))).status).toBe(400);
		expect((await call(`/sessions/${id}/messages`, message(3, "Hello"))).status).toBe(200);
	});

	it.each([
		[
			"sequence id outside of the message",
			{ sequenceId: 1, message: { type: "Text", text: "Hi" } },
		],
		["no text", message(1, "")],
		["nothing", null],
	])("refuses a message with %s", async (_, body) => {
		const id = await start();
		expect((await call(`/sessions/${id}/messages`, body)).status).toBe(400);
	});

	it("ends a session only for a reason, once", async () => {
		const id = await start();
		const end = (reason?: string) =>
			call(`/sessions/${id}`, undefined, {
				method: "DELETE",
				headers: {
					authorization: `Bearer ${token}`,
					...(reason && { "x-session-end-reason": reason }),
				},
			});
		expect((await end()).status).toBe(400);
		expect((await end("Boredom")).status).toBe(400);
		expect((await end("UserRequest")).status).toBe(200);
		expect((await end("UserRequest")).status).toBe(404);
		expect((await call(`/sessions/${id}/messages`, message(1, "Hi"))).status).toBe(404);
	});

	it("refuses a start that lacks what the API needs, and an agent that there is not", async () => {
		const { bypassUser: _, ...incomplete } = START;
		const path = `/agents/${simulator.settings.agentId}/sessions`;
		expect((await call(path, incomplete)).status).toBe(400);
		expect((await call("/agents/other/sessions", START)).status).toBe(404);
		expect((await call("/elsewhere", START)).status).toBe(404);
	});
});
