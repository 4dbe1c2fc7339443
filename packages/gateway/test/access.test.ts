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
import { auth, closeOf, Peer } from "./support/peer";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

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
