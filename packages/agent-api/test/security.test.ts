import { waitFor } from "@baton/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ADA, type ApiFixture, allLines, BOB, openApi, say, scripted } from "./api-fixture";

describe("the agent API under attack", () => {
	let fixture: ApiFixture;
	beforeEach(async () => {
		fixture = await openApi(scripted(say("secret answer")), {
			corsOrigins: ["https://app.example"],
			ratePerMinute: 5_000,
			refusedPerMinute: 5_000,
		});
	});
	afterEach(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});

	const errorOf = async (response: Response) => {
		const body = await response.json();
		expect(body).toEqual({ ok: false, errorCode: expect.any(String), message: expect.any(String) });
		return [response.status, (body as { errorCode: string }).errorCode];
	};

	it.each([
		["no key", null],
		["an empty key", ""],
		["a wrong key", "ada-key-0123456789abcdeX"],
		["an owner instead of a key", "ada"],
	])("refuses %s", async (_, key) => {
		for (const path of ["run", "abort"]) {
			expect(await errorOf(await fixture.post(path, {}, key))).toEqual([401, "UNAUTHORIZED"]);
		}
	});

	it("does not take a key from the address or the body", async () => {
		const body = JSON.stringify({ type: "agent.run", message: "hi", key: ADA });
		const url = `http://127.0.0.1/agent-api/run?key=${ADA}&token=${ADA}`;
		const response = await fixture.api.fetch(new Request(url, { method: "POST", body }));
		expect(response.status).toBe(401);
	});

	it("hides another owner's session, whatever is asked of it", async () => {
		const all = await allLines(await fixture.run({ message: "hi", session_id: "chat" }));
		const session_id = all.find(({ type }) => type === "init")?.session_id;
		const foreign = [
			fixture.run({ attach: true, session_id }, BOB),
			fixture.run({ message: "let me in", session_id }, BOB),
			fixture.run({ attach: true, session_id: "chat" }, BOB),
			fixture.run({ attach: true, session_id: "ada/chat" }, BOB),
			fixture.post("abort", { session_id }, BOB),
			fixture.post("abort", { session_id: "chat" }, BOB),
		];
		for (const response of await Promise.all(foreign)) {
			expect(await errorOf(response)).toEqual([404, "NOT_FOUND"]);
		}
	});

	it("leaves no relay session behind for one who may not attach", async () => {
		const all = await allLines(await fixture.run({ message: "hi" }));
		const session_id = String(all.find(({ type }) => type === "init")?.session_id);
		const made: string[] = [];
		const ended: string[] = [];
		const { relay } = fixture;
		const { createRelaySession, revokeRelaySession } = relay;
		relay.createRelaySession = async (session) => {
			const credentials = await createRelaySession.call(relay, session);
			made.push(credentials.sessionId);
			return credentials;
		};
		relay.revokeRelaySession = async (id) => {
			await revokeRelaySession.call(relay, id);
			ended.push(id);
		};
		for (const id of [session_id, crypto.randomUUID()]) {
			expect((await fixture.run({ attach: true, session_id: id }, BOB)).status).toBe(404);
		}
		await waitFor(() => ended.length === made.length, { what: "every one to be ended" });
		expect(ended.toSorted()).toEqual(made.toSorted());
	});

	it("does not let one owner's chat id reach into another's", async () => {
		await allLines(await fixture.run({ message: "hi", session_id: "b/chat" }));
		// As an alias this would read "ada/b/chat" too, were owners allowed a slash.
		const response = await fixture.run({ attach: true, session_id: "chat" }, BOB);
		expect(response.status).toBe(404);
	});

	it("refuses a forged relay token, and one of another session", async () => {
		const [relay] = await allLines(await fixture.run({ message: "hi" }));
		const [other] = await allLines(await fixture.run({ message: "hi" }));
		const response = { type: "error_response", requestId: "r", message: "no" };
		for (const token of ["", "x", other?.token, `${String(relay?.token)}x`]) {
			const body = { type: "relay.respond", sessionId: relay?.sessionId, token, response };
			const answer = await fixture.post("relay", body, null);
			expect([400, 401]).toContain(answer.status);
		}
	});

	it("refuses a body over its cap, and one that says it is", async () => {
		const huge = { type: "agent.run", message: "x".repeat(1024 * 1024 + 1) };
		expect(await errorOf(await fixture.post("run", huge))).toEqual([413, "TOO_LARGE"]);
		// Refused by what it says: nothing of it ever comes.
		const headers = { authorization: `Bearer ${ADA}`, "content-length": `${1024 * 1024 + 1}` };
		const request = { method: "POST", headers, body: new ReadableStream(), duplex: "half" };
		const url = "http://127.0.0.1/agent-api/run";
		const response = await fixture.api.fetch(new Request(url, request as RequestInit));
		expect(await errorOf(response)).toEqual([413, "TOO_LARGE"]);
	}, 5_000);

	it.each([
		["nothing", ""],
		["no JSON", "{"],
		["a list", "[]"],
		["null", "null"],
		["another type", { type: "agent.walk", message: "hi" }],
		["no message", { type: "agent.run" }],
		["an empty message", { type: "agent.run", message: "" }],
		["a number for a message", { type: "agent.run", message: 1 }],
		["attach without a session", { type: "agent.run", attach: true }],
		["attach with a message", { type: "agent.run", attach: true, session_id: "a", message: "hi" }],
		["a cursor without attach", { type: "agent.run", message: "hi", after: 1 }],
		["a negative cursor", { type: "agent.run", attach: true, session_id: "a", after: -1 }],
		[
			"a control character in a chat id",
			{ type: "agent.run", message: "hi", session_id: "a\u0000" },
		],
		["a chat id of 10 kB", { type: "agent.run", message: "hi", session_id: "a".repeat(10_000) }],
	])("refuses %s with a reason", async (_, body) => {
		const [status] = await errorOf(await fixture.post("run", body));
		expect(status).toBe(400);
	});

	it("answers other methods and addresses with JSON", async () => {
		const get = await fixture.api.fetch(new Request("http://127.0.0.1/agent-api/run"));
		expect(await errorOf(get)).toEqual([405, "METHOD_NOT_ALLOWED"]);
		expect(await errorOf(await fixture.post("nothing", {}))).toEqual([404, "NOT_FOUND"]);
	});

	it("lets pages of listed origins in, and reflects no other", async () => {
		const preflight = (origin: string) =>
			fixture.api.fetch(
				new Request("http://127.0.0.1/agent-api/run", { method: "OPTIONS", headers: { origin } }),
			);
		const listed = await preflight("https://app.example");
		expect(listed.headers.get("access-control-allow-origin")).toBe("https://app.example");
		for (const origin of ["https://evil.example", "null", "https://app.example.evil.example"]) {
			const other = await preflight(origin);
			expect(other.headers.get("access-control-allow-origin")).toBeNull();
		}
	});

	it("limits how often an owner, and someone without a key, may call", async () => {
		const limited = await openApi(scripted(say("x")), { ratePerMinute: 3, refusedPerMinute: 3 });
		const statuses = async (key: string | null) => {
			const all: number[] = [];
			for (let i = 0; i < 5; i++) {
				const response = await limited.post("abort", { session_id: "none" }, key);
				all.push(response.status);
				if (response.status === 429) {
					expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
				}
			}
			return all;
		};
		expect(await statuses(ADA)).toEqual([404, 404, 404, 429, 429]);
		expect(await statuses(null)).toEqual([401, 401, 401, 429, 429]);
		expect(await statuses(BOB)).toEqual([404, 404, 404, 429, 429]);
		await limited.close();
	});

	it("answers a thousand malformed requests with typed errors, and none with a crash", async () => {
		const field = fc.oneof(
			fc.string(),
			fc.integer(),
			fc.constant(null),
			fc.boolean(),
			fc.array(fc.string()),
		);
		const shaped = fc.record(
			{
				type: fc.oneof(fc.constant("agent.run"), field),
				message: field,
				document: field,
				session_id: field,
				agent: field,
				idempotency_key: field,
				attach: field,
				after: field,
				run_id: field,
			},
			{ requiredKeys: [] },
		);
		const body = fc.oneof(
			fc.json(),
			fc.string(),
			shaped.map((value) => JSON.stringify(value)),
		);
		await fc.assert(
			fc.asyncProperty(body, fc.constantFrom("run", "abort", "relay"), async (text, path) => {
				const response = await fixture.post(path, text);
				if (response.status === 200) {
					await response.body?.cancel();
					return;
				}
				expect(response.status).toBeGreaterThanOrEqual(400);
				expect(response.status).toBeLessThan(500);
				await errorOf(response);
			}),
			{ numRuns: 1_000 },
		);
	});
});
