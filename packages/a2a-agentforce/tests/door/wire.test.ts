import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DoorFixture, openDoor } from "./door-fixture";
import { wireCalls } from "./wire-calls";

describe("the wire of the A2A door", () => {
	let fixture: DoorFixture;
	beforeAll(async () => {
		fixture = await openDoor({ corsOrigins: ["https://app.example"], maxBodyBytes: 64 * 1024 });
	});
	afterAll(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});
	const { call, rpc } = wireCalls(() => fixture.url);
	const asked = (method: string, params: object = {}) => ({
		jsonrpc: "2.0",
		id: 7,
		method,
		params,
	});
	const message = (text: string) => ({
		messageId: `w${Math.random()}`,
		role: "ROLE_USER",
		parts: [{ text }],
	});
	const legacyMessage = (text: string) => ({
		kind: "message",
		messageId: `w${Math.random()}`,
		role: "user",
		parts: [{ kind: "text", text }],
	});

	it("has a card for each version, with what caches need, and interfaces that are served", async () => {
		const place = "/.well-known/agent-card.json";
		const latest = await fetch(fixture.url + place, { headers: { "A2A-Version": "1.0" } });
		const card = (await latest.json()) as Record<string, never> & { supportedInterfaces: object[] };
		expect(card.supportedInterfaces).toEqual(
			["1.0", "0.3"].flatMap((protocolVersion) =>
				["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
					url: fixture.url,
					protocolBinding,
					protocolVersion,
				})),
			),
		);
		expect(card.securitySchemes).toMatchObject({
			bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
		});
		expect(JSON.stringify(card)).not.toContain("$case");
		const legacy = await fetch(fixture.url + place);
		expect(await legacy.json()).toMatchObject({
			protocolVersion: "0.3",
			preferredTransport: "JSONRPC",
			url: fixture.url,
			additionalInterfaces: [{ url: fixture.url, transport: "HTTP+JSON" }],
			supportsAuthenticatedExtendedCard: true,
		});
		for (const response of [latest, legacy]) {
			expect(response.headers.get("vary")).toContain("A2A-Version");
			const etag = response.headers.get("etag") ?? "";
			const since = response.headers.get("last-modified") ?? "";
			expect(Date.parse(since)).toBeGreaterThan(0);
			// Without it `fetch` asks for a fresh one.
			const cached = { "Cache-Control": "max-age=0" };
			const version: Record<string, string> = {
				...cached,
				...(response === latest && { "A2A-Version": "1.0" }),
			};
			const same = await fetch(fixture.url + place, {
				headers: { ...version, "If-None-Match": etag },
			});
			expect(same.status).toBe(304);
			const old = await fetch(fixture.url + place, {
				headers: { ...version, "If-Modified-Since": since },
			});
			expect(old.status).toBe(304);
		}
		expect(latest.headers.get("etag")).not.toBe(legacy.headers.get("etag"));
		const ofAgent = await fetch(`${fixture.url}/agents/demo${place}`, {
			headers: { "A2A-Version": "1.0" },
		});
		expect(await ofAgent.json()).toMatchObject({
			supportedInterfaces: [{ url: `${fixture.url}/agents/demo` }, {}, {}, {}],
		});
	});

	it("speaks 0.3 without a version, 1.0 with one, in the header or the address, patched or not", async () => {
		const legacy = asked("message/send", {
			message: legacyMessage("count to 2"),
			configuration: { blocking: true },
		});
		for (const headers of [
			{},
			{ "a2a-version": "0.3" },
			{ "a2a-version": "0.3.0" },
			{ "a2a-version": "" },
		]) {
			const body = await (await rpc(legacy, headers as Record<string, string>)).json();
			expect(body).toMatchObject({
				id: 7,
				result: { kind: "task", status: { state: "completed" } },
			});
		}
		const latest = asked("SendMessage", { message: message("count to 2") });
		for (const [headers, path] of [
			[{ "a2a-version": "1.0" }, "/"],
			[{ "a2a-version": "1.0.1" }, "/"],
			[{}, "/?A2A-Version=1.0"],
			[{}, "/?a2a-version=1.0.2"],
		] as [Record<string, string>, string][]) {
			const body = await (await rpc(latest, headers, path)).json();
			expect(body).toMatchObject({
				id: 7,
				result: { task: { status: { state: "TASK_STATE_COMPLETED" } } },
			});
		}
	});

	it("refuses a version that it does not speak, over both bindings", async () => {
		for (const version of ["2.0", "0.2", "nonsense"]) {
			const body = await (
				await rpc(asked("GetTask", { id: "x" }), { "a2a-version": version })
			).json();
			expect(body).toMatchObject({ id: 7, error: { code: -32009 } });
			const response = await call("/tasks/x", {}, { "a2a-version": version });
			expect(response.status).toBe(400);
			expect(JSON.stringify(await response.json())).toContain("VERSION_NOT_SUPPORTED");
		}
	});

	it("tells errors with A2A's codes and reasons", async () => {
		const body = await (await rpc(asked("GetTask", { id: "none" }))).json();
		expect(body).toMatchObject({
			error: { code: -32001, data: [{ reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" }] },
		});
		const response = await call("/tasks/none", {}, { "a2a-version": "1.0" });
		expect(response.status).toBe(404);
		expect(await response.json()).toMatchObject({
			error: { code: 404, status: "NOT_FOUND", details: [{ reason: "TASK_NOT_FOUND" }] },
		});
		const legacy = await call("/v1/tasks/none");
		expect([legacy.status, await legacy.json()]).toMatchObject([404, { code: -32001 }]);
	});

	it.each([
		["nothing", "", 400, -32700],
		["no JSON", "{", 400, -32700],
		["a list", "[]", 200, -32602],
		["null", "null", 200, -32602],
		["a number", "5", 200, -32602],
		["no method", { jsonrpc: "2.0", id: 1 }, 200, -32602],
		["another method", { jsonrpc: "2.0", id: 1, method: "Nothing", params: {} }, 200, -32601],
		[
			"parts that are null",
			asked("SendMessage", { message: { messageId: "m", parts: [null] } }),
			200,
			-32602,
		],
		["no parts", asked("SendMessage", { message: { messageId: "m" } }), 200, -32602],
		["no message", asked("SendMessage"), 200, -32602],
		["no messageId", asked("SendMessage", { message: { parts: [{ text: "x" }] } }), 200, -32602],
		[
			"a tenant",
			asked("SendMessage", { tenant: "t", message: { messageId: "m", parts: [{ text: "x" }] } }),
			200,
			-32602,
		],
		[
			"an agent's role",
			asked("SendMessage", {
				message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "x" }] },
			}),
			200,
			-32602,
		],
	])("refuses %s with JSON-RPC's own error", async (_, body, status, code) => {
		const response = await rpc(body);
		expect([response.status, await response.json()]).toMatchObject([
			status,
			{ jsonrpc: "2.0", error: { code } },
		]);
	});

	it("refuses a body over its cap, another type, and addresses that are not there, with JSON", async () => {
		const huge = JSON.stringify(asked("SendMessage", { message: message("x".repeat(70_000)) }));
		for (const path of ["/", "/message:send", "/v1/message:send"]) {
			const response = await call(path, { method: "POST", body: huge }, { "a2a-version": "1.0" });
			expect(response.status).toBe(413);
			expect(await response.json()).toHaveProperty("error");
		}
		const xml = await call("/", { method: "POST", body: "<a/>" }, { "content-type": "text/xml" });
		expect([xml.status, await xml.json()]).toMatchObject([415, { error: { code: -32005 } }]);
		for (const path of ["/nothing", "/agents/nobody/tasks", "/tasks/a/b/c", "/.well-known/other"]) {
			const response = await call(path);
			expect(response.headers.get("content-type")).toContain("json");
			expect(response.status).toBeGreaterThanOrEqual(400);
			expect(response.status).toBeLessThan(500);
			await response.json();
		}
	});

	it("lets pages of listed origins in, and reflects no other", async () => {
		const preflight = (origin: string) => call("/", { method: "OPTIONS" }, { origin });
		const listed = await preflight("https://app.example");
		expect(listed.headers.get("access-control-allow-origin")).toBe("https://app.example");
		for (const origin of ["https://evil.example", "null"]) {
			expect((await preflight(origin)).headers.get("access-control-allow-origin")).toBeNull();
		}
	});
});
