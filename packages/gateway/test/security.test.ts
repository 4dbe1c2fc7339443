import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import {
	BOB,
	fixedTokens,
	type GatewayFixture,
	openGateway,
	TOKEN,
} from "./support/gateway-fixture";
import { Peer } from "./support/peer";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

const auth = (token: string) => JSON.stringify({ type: "auth", token });
const closeOf = async (peer: Peer) => waitFor(() => peer.closed, { what: "the socket to close" });

/** The HTTP status with which a socket is refused, or "open". */
async function upgradeStatus(headers: Record<string, string> = {}, path = "/"): Promise<unknown> {
	const ws = new WebSocket(`${gateway.url}${path}`, { headers });
	return new Promise((resolve) => {
		ws.on("unexpected-response", (_, response) => {
			resolve(response.statusCode);
			response.destroy();
		});
		ws.on("open", () => {
			resolve("open");
			ws.terminate();
		});
		ws.on("error", () => {});
	});
}

describe("the handshake", () => {
	it("takes the token in the first frame, and answers as the seed says", async () => {
		gateway = await openGateway();
		const peer = await Peer.connect(gateway.url);
		peer.text(auth(TOKEN));
		expect(await peer.frame(() => true)).toEqual({ type: "auth", ok: true });
	});

	it("refuses a wrong token, says so, and closes with 4401", async () => {
		gateway = await openGateway();
		const peer = await Peer.connect(gateway.url);
		peer.text(auth("wrong"));
		expect(await peer.frame(() => true)).toEqual({
			type: "auth",
			ok: false,
			error: "invalid token",
		});
		expect(await closeOf(peer)).toMatchObject({ code: 4401 });
	});

	it.each([
		['{"id":"1","method":"sessions.list"}'],
		["not json"],
		['{"type":"auth"}'],
		['{"type":"auth","token":5}'],
		["[]"],
		["null"],
	])("does nothing for %s before it", async (text) => {
		gateway = await openGateway();
		const peer = await Peer.connect(gateway.url);
		peer.text(text);
		peer.text('{"id":"2","method":"sessions.create"}');
		expect(await closeOf(peer)).toMatchObject({ code: 4401 });
		expect(peer.frames).toHaveLength(1);
		expect(peer.frames[0]).toMatchObject({ type: "auth", ok: false });
	});

	it("must come in time", async () => {
		gateway = await openGateway({ limits: { handshakeMs: 100 } });
		const peer = await Peer.connect(gateway.url);
		expect(await closeOf(peer)).toMatchObject({ code: 4408 });
	});

	it("must come in time, whatever else shows life", async () => {
		gateway = await openGateway({ limits: { handshakeMs: 200 } });
		const peer = await Peer.connect(gateway.url);
		const pongs = setInterval(() => peer.ws.pong(), 20);
		try {
			expect(await closeOf(peer)).toMatchObject({ code: 4408 });
		} finally {
			clearInterval(pongs);
		}
	});

	it("requests that were sent along with it wait for it", async () => {
		gateway = await openGateway();
		const peer = await Peer.connect(gateway.url);
		peer.text(auth(TOKEN));
		peer.text('{"id":"1","method":"health.check"}');
		peer.text('{"id":"2","method":"hello"}');
		const hello = await peer.frame(({ id }) => id === "2");
		expect(peer.frames.map(({ type, id }) => type ?? id)).toEqual(["auth", "1", "2"]);
		expect(hello.result).toMatchObject({ protocol: 1, server: "baton/test" });
		expect(hello.result?.methods).toContain("chat.send");
		expect(hello.result?.events).toContain("chat.delta");
	});

	it("a token that was changed counts at once, and closes the sockets of the old one", async () => {
		const owners: Record<string, string> = { "old-token": "local" };
		gateway = await openGateway({ tokens: fixedTokens(owners), limits: { pingMs: 200 } });
		const peer = await Peer.open(gateway.url, "old-token");
		delete owners["old-token"];
		owners["new-token"] = "local";
		const next = await Peer.open(gateway.url, "new-token");
		expect(next.frames[0]).toEqual({ type: "auth", ok: true });
		expect(await closeOf(peer)).toMatchObject({ code: 4401 });
		await next.call("health.check");
	});
});

describe("who may connect", () => {
	it.each([
		[{}, "open"],
		[{ origin: "http://localhost:3000" }, "open"],
		[{ origin: "http://127.0.0.1:5173" }, "open"],
		[{ origin: "https://app.example.com" }, "open"],
		[{ origin: "https://evil.example.com" }, 403],
		[{ origin: "http://localhost.evil.example.com" }, 403],
		[{ origin: "null" }, 403],
		[{ host: "evil.example.com" }, 403],
		[{ host: "evil.example.com:18789", origin: "http://evil.example.com:18789" }, 403],
		[{ host: "localhost:18789" }, "open"],
		[{ host: "192.168.1.5:18789" }, "open"],
		[{ host: "my.host.example" }, "open"],
	])("%j: %s", async (headers, outcome) => {
		gateway = await openGateway({
			origins: ["https://app.example.com"],
			hosts: ["my.host.example"],
		});
		expect(await upgradeStatus(headers as Record<string, string>)).toBe(outcome);
	});

	it("a token in the address is refused, right or wrong", async () => {
		gateway = await openGateway();
		expect(await upgradeStatus({}, `/?token=${TOKEN}`)).toBe(400);
	});

	it("wrong tokens lock an address out, also one of loopback, and the right one then too", async () => {
		gateway = await openGateway({ limits: { refusedPerMinute: 3, lockOutMs: 60_000 } });
		for (let i = 0; i < 3; i++) {
			const peer = await Peer.connect(gateway.url);
			peer.text(auth(`wrong-${i}`));
			expect(await closeOf(peer)).toMatchObject({ code: 4401 });
		}
		expect(await upgradeStatus()).toBe(429);
		// The failures of pages are their own, and pages are counted as well.
		const origin = "http://localhost:3000";
		expect(await upgradeStatus({ origin })).toBe("open");
		for (let i = 0; i < 3; i++) {
			const peer = await Peer.connect(gateway.url, { headers: { origin } });
			peer.text(auth(`wrong-${i}`));
			await closeOf(peer);
		}
		expect(await upgradeStatus({ origin })).toBe(429);
	});

	it("a new origin each time is no way around the lock-out", async () => {
		gateway = await openGateway({ limits: { refusedPerMinute: 3 } });
		for (let i = 0; i < 3; i++) {
			const headers = { origin: `http://localhost:${4_000 + i}` };
			const peer = await Peer.connect(gateway.url, { headers });
			peer.text(auth(`wrong-${i}`));
			await closeOf(peer);
		}
		expect(await upgradeStatus({ origin: "http://localhost:5000" })).toBe(429);
		expect(await upgradeStatus()).toBe("open");
	});

	it("sockets that were open before the lock-out are locked out too", async () => {
		gateway = await openGateway({ limits: { refusedPerMinute: 2 } });
		const peers = await Promise.all(Array.from({ length: 4 }, () => Peer.connect(gateway.url)));
		for (const peer of peers.slice(0, 2)) {
			peer.text(auth("wrong"));
			await closeOf(peer);
		}
		peers[2]!.text(auth(TOKEN));
		expect(await closeOf(peers[2]!)).toMatchObject({ code: 4429 });
		peers[3]!.text(auth("wrong"));
		expect(await closeOf(peers[3]!)).toMatchObject({ code: 4429 });
	});

	it("an address has so many sockets at once; those that leave make room", async () => {
		gateway = await openGateway({ limits: { socketsPerAddress: 3 } });
		const peers = await Promise.all([1, 2, 3].map(() => gateway.open()));
		expect(await upgradeStatus()).toBe(429);
		await peers[0]!.close();
		await waitFor(async () => (await upgradeStatus()) === "open");
	});

	it("someone else's session does not exist, for any method", async () => {
		gateway = await openGateway();
		const [mine, bobs] = [await gateway.open(), await gateway.open(BOB)];
		const sessionKey = await mine.createSession();
		const { runId } = await mine.chat(sessionKey, "Hello");
		for (const [method, params] of Object.entries({
			"sessions.get": {},
			"sessions.patch": { label: "mine" },
			"sessions.delete": {},
			"sessions.fork": {},
			"chat.send": { message: "x" },
			"chat.history": {},
			"chat.subscribe": {},
			"chat.wait": { runId },
		})) {
			const { error } = await bobs.ask(method, { sessionKey, ...params });
			expect([method, error?.code]).toEqual([method, 404]);
		}
		expect(await bobs.call("sessions.list")).toEqual({ sessions: [], cursor: null });
		expect(await bobs.call("sessions.search", { query: "Hello" })).toMatchObject({ matches: [] });
	});
});

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
		expect(await health.json()).toEqual({ status: "ok", uptime: expect.any(Number) });
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
