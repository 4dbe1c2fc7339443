import { EVENTS_LOG, openRequest } from "@baton/agent";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createRelayHandler, type RelayCredentials, type RelayHandlerOptions } from "../src/relay";
import { executeRequest, snapshotRequest, snapshotResponse } from "./messages";
import { memory, newSession, type TwoRelays } from "./stores";

const URL_OF_RELAY = "http://relay.test/agent-api/relay";

describe("the relay over HTTP", () => {
	let relays: TwoRelays;
	let id: string;
	let page: RelayCredentials;
	let agent: RelayCredentials;
	const onError = vi.fn();
	beforeAll(async () => {
		relays = await memory.open();
	});
	afterAll(async () => {
		await relays.close();
		expect(onError).not.toHaveBeenCalled();
	});
	beforeEach(async () => {
		({ agentSessionId: id, page, agent } = await newSession(relays));
	});

	async function call(
		init: RequestInit & { query?: string },
		options: Partial<RelayHandlerOptions> = {},
	) {
		const handle = createRelayHandler({ store: relays.a, onError, ...options });
		const { query = "", ...rest } = init;
		const request = { ...rest, duplex: "half" } as RequestInit;
		const response = await handle(new Request(URL_OF_RELAY + query, request));
		const { status, headers } = response;
		const body = (response.body ? await response.json() : null) as { message: string };
		return { status, headers, body };
	}
	const post = (body: unknown, headers: Record<string, string> = {}, options = {}) =>
		call({ method: "POST", body: JSON.stringify(body), headers }, options);
	const ask = (requestId: string) => openRequest(relays.a.sessions, id, snapshotRequest(requestId));
	const respond = (requestId: string) => ({
		type: "relay.respond",
		sessionId: page.sessionId,
		response: snapshotResponse(requestId),
	});
	const refused = (status: number, errorCode: string) => ({
		status,
		body: { ok: false, errorCode, message: expect.any(String) },
	});

	it("dispatch, claim and respond together carry a request to the page and its answer back", async () => {
		const dispatch = { type: "relay.dispatch", ...agent, request: snapshotRequest("r1") };
		const answer = post(dispatch);
		const claim = { type: "relay.claim", ...page, requestId: "r1", claimId: "tab-1" };
		await vi.waitFor(async () => expect((await post(claim)).body).toEqual({ ok: true }));
		expect((await post({ ...respond("r1"), ...page })).status).toBe(409);
		const done = await post({ ...respond("r1"), ...page, claimId: "tab-1" });
		expect(done).toMatchObject({ status: 200, body: { ok: true } });
		expect(await answer).toMatchObject({
			status: 200,
			body: { ok: true, response: snapshotResponse("r1") },
		});
	});

	it("takes the token in the header or in the body, and the body's is meant for the relay", async () => {
		await ask("r1");
		const authorization = `Bearer ${page.token}`;
		expect((await post(respond("r1"), { authorization })).status).toBe(200);
		const withKey = { authorization: "Bearer the-key-of-the-api" };
		expect((await post({ ...respond("r1"), token: page.token }, withKey)).status).toBe(200);
	});

	it("never takes a token from the address of a POST", async () => {
		await ask("r1");
		const body = JSON.stringify(respond("r1"));
		const result = await call({ method: "POST", body, query: `?token=${page.token}` });
		expect(result).toMatchObject(refused(401, "UNAUTHORIZED"));
	});

	it("an agent may not answer, and a page may not ask", async () => {
		await ask("r1");
		const answer = { ...respond("r1"), ...agent };
		const claim = { type: "relay.claim", ...agent, requestId: "r1", claimId: "c" };
		const dispatch = { type: "relay.dispatch", ...page, request: snapshotRequest("r2") };
		for (const body of [answer, claim, dispatch]) {
			expect(await post(body)).toMatchObject(refused(401, "UNAUTHORIZED"));
		}
		const query = `?type=relay.events&sessionId=${agent.sessionId}&token=${agent.token}`;
		expect(await call({ query })).toMatchObject(refused(401, "UNAUTHORIZED"));
		expect((await relays.sessions.state(id, EVENTS_LOG)).last).toBe(1);
	});

	it.each([
		["no JSON", "{", 400],
		["no object", "[]", 400],
		["an unknown type", JSON.stringify({ type: "relay.other", sessionId: "s" }), 400],
		["no session", JSON.stringify({ type: "relay.claim" }), 400],
		["nothing", null, 400],
	])("a body with %s is a %i", async (_, body, status) => {
		const result = await call({ method: "POST", body });
		expect(result).toMatchObject(refused(status, "INVALID_RESPONSE"));
	});

	it("refuses a malformed request as 400, and a malformed answer as 422", async () => {
		await ask("r1");
		const wrongRequest = { ...executeRequest("r2"), actions: [{ action: "eval", fieldId: "f1" }] };
		const dispatch = { type: "relay.dispatch", ...agent, request: wrongRequest };
		expect(await post(dispatch)).toMatchObject(refused(400, "INVALID_RESPONSE"));
		const wrongAnswer = { type: "snapshot_response", requestId: "r1", fields: [{ fieldId: 1 }] };
		const answer = { ...respond("r1"), ...page, response: wrongAnswer };
		expect(await post(answer)).toMatchObject(refused(422, "INVALID_RESPONSE"));
		const claim = { type: "relay.claim", ...page, requestId: "r1", claimId: "no spaces" };
		expect(await post(claim)).toMatchObject(refused(400, "INVALID_RESPONSE"));
	});

	it("says that a body is not UTF-8, rather than take it changed", async () => {
		const [before, after] = JSON.stringify(respond("r1#")).split("#");
		const body = Buffer.concat([Buffer.from(before!), Buffer.from([0xff]), Buffer.from(after!)]);
		const result = await call({ method: "POST", body });
		expect(result).toMatchObject(refused(400, "INVALID_RESPONSE"));
		expect(result.body.message).toContain("UTF-8");
	});

	it("refuses a value that is nested so deep that working on it would end the process", async () => {
		const deep = `${"[".repeat(1e5)}${"]".repeat(1e5)}`;
		const response = { ...snapshotResponse("r1"), deep: "#" };
		const body = JSON.stringify({ ...respond("r1"), ...page, response }).replace('"#"', deep);
		const result = await call({ method: "POST", body });
		expect(result).toMatchObject(refused(400, "INVALID_RESPONSE"));
		expect(result.body.message).toContain("nested");
	});

	it.each([
		["announced: not at all", { "content-length": "1001" }, 1],
		["not announced: no further than that", undefined, 20],
	])("reads a body that is over its cap, %s", async (_, headers, mostPulls) => {
		let pulled = 0;
		const endless = new ReadableStream({
			pull(controller) {
				pulled++;
				controller.enqueue(new TextEncoder().encode(" ".repeat(100)));
			},
		});
		const init = { method: "POST", body: endless, ...(headers && { headers }) };
		const result = await call(init, { maxBodyBytes: 1_000 });
		expect(result).toMatchObject(refused(413, "TOO_LARGE"));
		expect(pulled).toBeLessThanOrEqual(mostPulls);
	});

	it.each(["PUT", "DELETE", "PATCH"])("%s is not allowed", async (method) => {
		const result = await call({ method });
		expect(result).toMatchObject(refused(405, "METHOD_NOT_ALLOWED"));
		expect(result.headers.get("allow")).toBe("GET, POST, OPTIONS");
	});

	it("lets in pages of listed origins alone, and reflects no other", async () => {
		const options = { allowedOrigins: ["https://app.example"] };
		for (const method of ["OPTIONS", "POST"]) {
			const from = (origin: string) => call({ method, headers: { origin } }, options);
			const listed = await from("https://app.example");
			expect(listed.headers.get("access-control-allow-origin")).toBe("https://app.example");
			expect(listed.headers.get("vary")).toBe("Origin");
			const other = await from("https://app.example.evil");
			expect(other.headers.get("access-control-allow-origin")).toBeNull();
			expect(other.headers.get("vary")).toBe("Origin");
		}
		const unset = await call({ method: "OPTIONS", headers: { origin: "https://app.example" } });
		expect(unset.status).toBe(204);
		expect(unset.headers.get("access-control-allow-origin")).toBeNull();
	});

	it("a stream needs its type, a session and a token", async () => {
		const { sessionId, token } = page;
		const none = await call({ query: `?type=relay.events&sessionId=${sessionId}` });
		expect(none).toMatchObject(refused(401, "UNAUTHORIZED"));
		const wrong = await call({ query: `?type=relay.events&sessionId=${sessionId}&token=x` });
		expect(wrong).toMatchObject(refused(401, "UNAUTHORIZED"));
		const type = await call({ query: `?sessionId=${sessionId}&token=${token}` });
		expect(type).toMatchObject(refused(400, "INVALID_RESPONSE"));
	});
});

describe("a failure of the store", () => {
	it("is a 500 that says nothing of it, and is handed to onError", async () => {
		const relays = await memory.open();
		const { page } = await newSession(relays);
		await relays.close();
		const seen: unknown[] = [];
		const handle = createRelayHandler({ store: relays.a, onError: (error) => seen.push(error) });
		const body = JSON.stringify({ type: "relay.claim", ...page, requestId: "r", claimId: "c" });
		const response = await handle(new Request(URL_OF_RELAY, { method: "POST", body }));
		expect(response.status).toBe(500);
		expect(await response.json()).toEqual({
			ok: false,
			errorCode: "INTERNAL",
			message: "The relay failed; try again.",
		});
		expect(seen).toHaveLength(1);
		expect(JSON.stringify(seen) + String(seen[0])).not.toContain(page.token);
	});
});
