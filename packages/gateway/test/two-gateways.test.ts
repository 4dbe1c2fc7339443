import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { demoPieces } from "@baton/agent/demo";
import { openStore, type StoreConfig } from "@baton/session";
import { type RedisServer, requirePart, spawnNode, startRedis } from "@baton/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";
import { Peer } from "./support/peer";

const PROGRAM = fileURLToPath(new URL("./support/gateway-process.mjs", import.meta.url));
const textOf = (message: string) => [...demoPieces(message)].join("");

describe.skipIf(!requirePart("redis-server"))("two gateways on one Redis", () => {
	let redis: RedisServer;
	let config: StoreConfig;
	let gateways: GatewayFixture[];
	let one: Peer;
	let other: Peer;

	beforeAll(async () => {
		redis = await startRedis();
	});
	afterAll(() => redis.stop());

	beforeEach(async () => {
		config = { driver: "redis", url: redis.url, prefix: `${randomUUID()}:` };
		gateways = [
			await openGateway({ store: await openStore(config) }),
			await openGateway({ store: await openStore(config) }),
		];
		[one, other] = [await gateways[0]!.open(), await gateways[1]!.open()];
	});
	afterEach(async () => {
		await Promise.all(gateways.map((gateway) => gateway.close()));
	});

	it("share sessions, labels and histories", async () => {
		const sessionKey = await one.createSession({ label: "Shared" });
		await one.chat(sessionKey, "My name is Alice.");
		expect(await other.call("sessions.list")).toMatchObject({
			sessions: [{ key: sessionKey, label: "Shared" }],
		});
		const asked = await other.chat(sessionKey, "What is my name?");
		expect(other.said(asked.runId)).toContain("Alice");
		const [a, b] = await Promise.all(
			[one, other].map((peer) => peer.call("chat.history", { sessionKey })),
		);
		expect(a).toEqual(b);
		await other.call("sessions.delete", { sessionKey });
		expect((await one.ask("sessions.get", { sessionKey })).error?.code).toBe(404);
	});

	it("a turn of one is followed on the other: the same frames, each once", async () => {
		const sessionKey = await one.createSession();
		await other.call("chat.subscribe", { sessionKey, after: 0 });
		await one.call("chat.subscribe", { sessionKey, after: 0 });
		const message = "/stream 300 words every 2ms";
		const { runId } = await one.call<{ runId: string }>("chat.send", { sessionKey, message });
		await Promise.all([one.end(runId), other.end(runId)]);
		expect(other.said(runId)).toBe(textOf(message));
		expect(other.events()).toEqual(one.events());
	});

	it.each([
		["by its runId alone", false],
		["with the session's key", true],
	])("a turn of one is aborted on the other, %s", async (_, withKey) => {
		const sessionKey = await one.createSession();
		for (let i = 0; i < 30; i++) await one.createSession();
		const message = "/stream 5000 words every 5ms";
		const { runId } = await one.call<{ runId: string }>("chat.send", { sessionKey, message });
		await one.frame(({ event }) => event === "chat.delta");
		const params = { runId, ...(withKey && { sessionKey }) };
		expect(await other.call("chat.abort", params)).toEqual({ aborted: true });
		expect(await one.end(runId)).toMatchObject({ data: { aborted: true } });
		expect(await other.call("chat.abort", params)).toEqual({ aborted: false });
	});

	it("the same idempotency key on both is one turn", async () => {
		const sessionKey = await one.createSession();
		const params = { sessionKey, message: "Hello", idempotencyKey: "k" };
		const [a, b] = await Promise.all([one, other].map((peer) => peer.call("chat.send", params)));
		expect(a?.runId).toBe(b?.runId);
	});

	it("a turn whose gateway is killed is ended by the other, visibly", async () => {
		const victim = spawnNode(PROGRAM, { args: [JSON.stringify(config), "0"] });
		const [, port] = (await victim.waitForLine("ready", 30_000)).split(" ");
		const onVictim = await Peer.open(`ws://127.0.0.1:${port}`, TOKEN);
		const sessionKey = await onVictim.createSession();
		await other.call("chat.subscribe", { sessionKey, after: 0 });
		const message = "/stream 200 words every 5ms";
		const { runId } = await onVictim.call<{ runId: string }>("chat.send", { sessionKey, message });
		await other.frame(({ data }) => data?.text === "w30 ");
		victim.kill("SIGKILL");
		await victim.exited;
		expect(await other.end(runId, 30_000)).toMatchObject({ event: "chat.final" });
		expect(other.said(runId)).toBe(textOf(message));
		expect(other.events("chat.recovered")).toMatchObject([{ data: { runId, attempt: 2 } }]);
	}, 60_000);
});
