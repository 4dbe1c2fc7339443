import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";
import { auth, closeOf, Peer } from "./support/peer";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

describe("limits", () => {
	it("before the handshake 64 KiB are enough for anyone", async () => {
		gateway = await openGateway();
		const peer = await Peer.connect(gateway.url);
		peer.text(auth("x".repeat(100_000)));
		expect(await closeOf(peer)).toMatchObject({ code: 1009 });
	});

	it("also when they come in fragments that never end", async () => {
		gateway = await openGateway();
		const peer = await Peer.connect(gateway.url);
		for (let i = 0; i < 80; i++) peer.ws.send("x".repeat(1_000), { fin: false });
		expect(await closeOf(peer)).toMatchObject({ code: 1009 });
	});

	it("a frame has at most its cap", async () => {
		gateway = await openGateway({ limits: { frameBytes: 100_000 } });
		const peer = await gateway.open();
		peer.text(
			JSON.stringify({ id: 1, method: "health.check", params: { pad: "x".repeat(90_000) } }),
		);
		await peer.frame(({ id }) => id === 1);
		peer.text("x".repeat(100_001));
		expect(await closeOf(peer)).toMatchObject({ code: 1009 });
	});

	it("a socket that shows no life is ended, one that does stays", async () => {
		gateway = await openGateway({ limits: { pingMs: 100 } });
		const dead = await Peer.connect(gateway.url, { autoPong: false });
		dead.text(auth(TOKEN));
		const alive = await gateway.open();
		expect(await closeOf(dead)).toMatchObject({ code: 1006 });
		expect(alive.closed).toBeNull();
		await alive.call("health.check");
	});

	it("calls that wait go beside the others, up to a number", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.call("chat.send", { sessionKey, message: "/wait 2s" });
		const waits = Array.from({ length: 40 }, () => peer.ask("chat.wait", { sessionKey, runId }));
		const outcomes = await Promise.all(waits);
		const refused = outcomes.filter(({ error }) => error?.code === 429);
		expect(refused).toHaveLength(8);
		expect(outcomes.filter(({ result }) => result?.status === "success")).toHaveLength(32);
	});
});

describe("frames that make no sense", () => {
	it.each([
		["{", -32700, null],
		["", -32700, null],
		["[1]", -32600, null],
		["null", -32600, null],
		['{"id":"1"}', -32600, null],
		['{"method":"health.check"}', -32600, null],
		['{"id":{},"method":"health.check"}', -32600, null],
		['{"id":"7","method":"no.such"}', -32601, "7"],
		['{"id":7,"method":"constructor"}', -32601, 7],
		['{"id":"7","method":"sessions.get","params":[]}', -32602, "7"],
		['{"id":"7","method":"sessions.get","params":"x"}', -32602, "7"],
	])("%s is answered with %i", async (text, code, id) => {
		gateway = await openGateway();
		const peer = await gateway.open();
		peer.text(text);
		const frame = await peer.frame(({ error }) => error !== undefined);
		expect(frame).toMatchObject({ id, error: { code, message: expect.any(String) } });
		await peer.call("health.check");
	});

	it("a binary frame is refused, and the socket goes on", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		peer.ws.send(Buffer.from('{"id":"1","method":"health.check"}'), { binary: true });
		expect(await peer.frame(({ error }) => error?.code === -32600)).toMatchObject({ id: null });
		await peer.call("health.check");
	});

	it("path tricks in a sessionKey are refused before they reach a file", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const id = "01234567-89ab-4def-8123-456789abcdef";
		for (const sessionKey of [
			"../../../etc/passwd",
			`../${id}`,
			`${id}/../x`,
			`${id}\u0000`,
			`${id}\n`,
			"..%2f..%2fetc",
			"C:\\Windows",
			"__proto__",
			`{${id}}`,
			"",
			" ",
			"a".repeat(10_000),
		]) {
			for (const method of ["sessions.get", "chat.history", "sessions.delete", "chat.subscribe"]) {
				const { error } = await peer.ask(method, { sessionKey });
				expect([sessionKey, error?.code]).toEqual([sessionKey, -32602]);
			}
		}
	});

	it("an agentId is looked up as it is, and never becomes a pattern", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		for (const agentId of ["no-such(.*", "no-such[", "no-such\\"]) {
			const { error } = await peer.ask("sessions.create", { agentId });
			expect(error).toMatchObject({ code: -32602, data: { type: "unknown_agent" } });
		}
	});
});

describe("plain HTTP", () => {
	it("a refused upgrade leaves no socket behind, also when its client never hangs up", async () => {
		gateway = await openGateway();
		const { port } = new URL(gateway.url);
		const clients = Array.from({ length: 5 }, () =>
			connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true }),
		);
		try {
			for (const client of clients) {
				client.on("error", () => {});
				client.write(
					"GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
				);
			}
			const answers = await Promise.all(clients.map((client) => once(client, "data")));
			for (const [data] of answers) expect(String(data)).toMatch(/^HTTP\/1.1 403 /);
			const openSockets = () =>
				new Promise<number>((resolve) => gateway.server.getConnections((_, n) => resolve(n)));
			await waitFor(async () => (await openSockets()) === 0, { what: "the sockets to be freed" });
		} finally {
			for (const client of clients) client.destroy();
		}
	});

	it("GET /health tells status and uptime to anyone; there is nothing else", async () => {
		gateway = await openGateway();
		const health = await fetch(`${gateway.http}/health`);
		expect(health.status).toBe(200);
		expect(await health.json()).toEqual({
			status: "ok",
			uptime: expect.any(Number),
			service: "baton-gateway",
		});
		expect((await fetch(`${gateway.http}/sessions`)).status).toBe(404);
		expect((await fetch(`${gateway.http}/health`, { method: "POST" })).status).toBe(404);
	});

	it("an upgrade that is no WebSocket is refused, and a broken socket harms nobody", async () => {
		gateway = await openGateway();
		const { port } = new URL(gateway.url);
		const socket = connect(Number(port), "127.0.0.1");
		socket.write(
			"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
		);
		const [data] = (await once(socket, "data")) as [Buffer];
		expect(data.toString()).toMatch(/^HTTP\/1.1 400 /);
		socket.destroy();
		const half = request({
			port,
			host: "127.0.0.1",
			headers: { Connection: "Upgrade", Upgrade: "websocket" },
		});
		half.on("error", () => {});
		half.end();
		half.destroy();
		await (await gateway.open()).call("health.check");
	});
});
