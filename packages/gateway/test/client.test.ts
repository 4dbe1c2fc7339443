import { fileURLToPath } from "node:url";
import { demoPieces } from "@baton/agent/demo";
import { openStore, type Store } from "@baton/session";
import { spawnNode, startTcpProxy, type TcpProxy, tempDir, waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import type { GatewayClient, GatewayEvent } from "../src/client";
import { connectGateway } from "../src/client/node";
import { type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";

const FULL = Boolean(process.env.BATON_FULL);
const textOf = (message: string) => [...demoPieces(message)].join("");

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function gatewayOn(options: Parameters<typeof openGateway>[0] = {}): Promise<GatewayFixture> {
	const gateway = await openGateway(options);
	cleanUps.push(() => gateway.close());
	return gateway;
}

function connect(port: number, more: object = {}): GatewayClient & { states: string[] } {
	const states: string[] = [];
	const client = connectGateway({
		url: `ws://127.0.0.1:${port}`,
		token: TOKEN,
		minPauseMs: 20,
		maxPauseMs: 200,
		onState: (state) => states.push(state),
		...more,
	});
	cleanUps.push(() => client.close());
	return Object.assign(client, { states });
}

const portOf = (gateway: GatewayFixture) => Number(new URL(gateway.url).port);

/** Shows a session as a person's screen does. */
class Screen {
	readonly events: GatewayEvent[] = [];
	readonly take = (event: GatewayEvent) => void this.events.push(event);

	text(runId: string): string {
		let text = "";
		for (const { event, data } of this.events) {
			if (!("runId" in data) || data.runId !== runId) continue;
			if (event === "chat.delta") text += data.text;
			if (event === "chat.retract") text = "";
		}
		return text;
	}

	get ends(): string[] {
		return this.events.flatMap(({ event, data }) =>
			event === "chat.final" || event === "chat.error" || event === "chat.aborted"
				? data.runId
				: [],
		);
	}

	get said(): string[] {
		return this.events.flatMap((one) => (one.event === "chat.message" ? one.data.content : []));
	}

	get seqs(): number[] {
		return this.events.flatMap(({ data }) => ("seq" in data ? data.seq : []));
	}
}

describe("the client", () => {
	it("calls, sends and follows, with types", async () => {
		const client = connect(portOf(await gatewayOn()));
		const { agents } = await client.call("agents.list", {});
		expect(agents[0]?.id).toBe("assistant");
		const { sessionKey } = await client.call("sessions.create", { label: "Mine" });
		const screen = new Screen();
		const subscription = client.subscribe(sessionKey, screen.take);
		const { runId } = await client.send(sessionKey, "/stream 20 words");
		await waitFor(() => screen.ends.includes(runId));
		expect(screen.text(runId)).toBe(textOf("/stream 20 words"));
		expect(subscription.seq).toBe(screen.seqs.at(-1));
		expect(client.states).toEqual(["connecting", "open"]);
		await expect(client.call("sessions.get", { sessionKey: crypto.randomUUID() })).rejects.toThrow(
			"There is no such session.",
		);
	});

	it("is refused with a wrong token, and says so instead of trying for ever", async () => {
		const client = connect(portOf(await gatewayOn()), { token: "wrong-token" });
		const call = client.call("sessions.list", {});
		await expect(call).rejects.toThrow("refuses this token");
		expect(client.state).toBe("refused");
		await expect(client.send(crypto.randomUUID(), "x")).rejects.toThrow("refuses this token");
	});

	it("keeps messages until there is a server, in their order", async () => {
		const store = await openStore({ driver: "memory" });
		const first = await openGateway({ store: shared(store) });
		const port = portOf(first);
		const client = connect(port);
		const { sessionKey } = await client.call("sessions.create", {});
		await first.close();
		await waitFor(() => client.state !== "open");
		const sending = [1, 2, 3].map((n) => client.send(sessionKey, `/stream ${n} words`));
		expect(client.unsent.map(({ message }) => message)).toEqual(
			[1, 2, 3].map((n) => `/stream ${n} words`),
		);
		await gatewayOn({ store: shared(store), port });
		const sent = await Promise.all(sending);
		expect(client.unsent).toEqual([]);
		expect(sent.map(({ seq }) => seq)).toEqual(
			sent.map(({ seq }) => seq).toSorted((a, b) => a - b),
		);
		cleanUps.push(() => store.close());
	});

	it("close rejects what waits", async () => {
		const client = connect(1);
		const call = client.call("health.check", {});
		const message = client.send(crypto.randomUUID(), "x");
		client.close();
		await expect(call).rejects.toThrow("closed");
		await expect(message).rejects.toThrow("closed");
	});
});

/** A network that is cut at random moments, while two clients write and one reads. */
describe("over a bad network", () => {
	const CUTS = FULL ? 200 : 25;

	it(`${CUTS} cuts: no message lost or doubled, every event once, order kept`, async () => {
		const gateway = await gatewayOn({ limits: { socketsPerAddress: 10_000 } });
		const proxy: TcpProxy = await startTcpProxy({ targetPort: portOf(gateway) });
		cleanUps.push(() => proxy.stop());
		const [writer, other, reader] = [connect(proxy.port), connect(proxy.port), connect(proxy.port)];
		const direct = connect(portOf(gateway));
		const { sessionKey } = await direct.call("sessions.create", {});
		const screen = new Screen();
		reader.subscribe(sessionKey, screen.take, { after: 0 });
		let cutting = true;
		let cuts = 0;
		const cutter = (async () => {
			while (cutting && cuts < CUTS) {
				await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
				proxy.dropConnections();
				cuts++;
			}
		})();
		const messages = Array.from({ length: CUTS }, (_, i) => `/stream ${(i % 7) + 1} words`);
		const sends = [writer, other].map((client, who) =>
			(async () => {
				const runs: string[] = [];
				for (const [i, message] of messages.entries()) {
					if (i % 2 !== who) continue;
					runs.push((await client.send(sessionKey, message)).runId);
				}
				return runs;
			})(),
		);
		const [ofWriter, ofOther] = await Promise.all(sends);
		cutting = false;
		await cutter;
		const runs = [...ofWriter!, ...ofOther!];
		await waitFor(() => screen.ends.length >= runs.length, { timeoutMs: 60_000 });
		expect(cuts).toBeGreaterThan(0);
		expect(screen.said.toSorted()).toEqual(messages.toSorted());
		expect(screen.ends.toSorted()).toEqual(runs.toSorted());
		expect(new Set(runs).size).toBe(messages.length);
		const order = screen.ends;
		for (const own of [ofWriter!, ofOther!]) {
			expect(order.filter((runId) => own.includes(runId))).toEqual(own);
		}
		expect(screen.seqs).toEqual(screen.seqs.map((_, i) => i + 1));
	}, 120_000);

	it("an answer that is lost with its connection stores the message once", async () => {
		const gateway = await gatewayOn();
		const proxy = await startTcpProxy({ targetPort: portOf(gateway) });
		cleanUps.push(() => proxy.stop());
		const client = connect(proxy.port);
		const { sessionKey } = await client.call("sessions.create", {});
		proxy.holdReplies();
		const sending = client.send(sessionKey, "Hello");
		const sessions = gateway.store.collection("sessions");
		await waitFor(async () => (await sessions.state(sessionKey, "events")).last > 0);
		proxy.dropConnections();
		proxy.releaseReplies();
		expect(await sending).toMatchObject({ repeated: true });
		const { messages } = await client.call("chat.history", { sessionKey });
		expect(messages.filter(({ role }) => role === "user")).toHaveLength(1);
	});

	it("a connection that dies without a word is noticed and replaced", async () => {
		const gateway = await gatewayOn();
		const proxy = await startTcpProxy({ targetPort: portOf(gateway) });
		cleanUps.push(() => proxy.stop());
		const client = connect(proxy.port, { heartbeatMs: 100, timeoutMs: 200 });
		await waitFor(() => client.state === "open");
		proxy.holdReplies();
		await waitFor(() => client.states.includes("waiting"));
		proxy.releaseReplies();
		proxy.dropConnections();
		await waitFor(() => client.state === "open");
		await client.call("health.check", {});
	});
});

describe("a server that is killed, a machine that sleeps", () => {
	it("a client goes on through a restart of the server in mid-answer", async () => {
		const folder = await tempDir("baton-client");
		cleanUps.push(() => folder.remove());
		const start = async (port = 0) => {
			const store = await openStore({ driver: "files", dir: folder.path });
			return openGateway({ store, dataDir: folder.path, port });
		};
		const first = await start();
		const port = portOf(first);
		const client = connect(port);
		const { sessionKey } = await client.call("sessions.create", {});
		const screen = new Screen();
		client.subscribe(sessionKey, screen.take);
		const message = "/stream 200 words every 5ms";
		const { runId } = await client.send(sessionKey, message);
		await waitFor(() => screen.text(runId).includes("w50 "));
		await first.close();
		const later = client.send(sessionKey, "/stream 3 words");
		const second = await start(port);
		cleanUps.push(() => second.close());
		const { runId: next } = await later;
		await waitFor(() => screen.ends.includes(next), { timeoutMs: 20_000 });
		expect(screen.ends).toEqual([runId, next]);
		expect(screen.text(runId)).toBe(textOf(message));
		expect(screen.seqs).toEqual(screen.seqs.map((_, i) => i + 1));
		expect(screen.events.some(({ event }) => event === "chat.recovered")).toBe(true);
	}, 60_000);

	it("a process that is stopped for a while wakes up and has everything, once", async () => {
		const sleepMs = FULL ? 60_000 : 3_000;
		const limits = { pingMs: 300, slowMs: 1_000, bufferBytes: 16 * 1024 };
		const gateway = await gatewayOn({ limits });
		const direct = connect(portOf(gateway));
		const { sessionKey } = await direct.call("sessions.create", {});
		const program = fileURLToPath(new URL("./support/reading-client.mjs", import.meta.url));
		const reader = spawnNode(program, { args: [gateway.url, TOKEN, sessionKey] });
		cleanUps.push(() => reader.stop());
		await reader.waitForLine("open");
		const count = Math.round(sleepMs / 10) + 200;
		const { runId } = await direct.send(sessionKey, `/stream ${count} words every 5ms`);
		await reader.waitForLine((line) => line.includes('"w20 "'));
		reader.kill("SIGSTOP");
		await new Promise((resolve) => setTimeout(resolve, sleepMs));
		reader.kill("SIGCONT");
		const end = await reader.waitForLine((line) => line.includes("chat.final"), 60_000);
		expect(end).toContain(runId);
		const lines: string[] = [];
		for await (const line of reader.lines) {
			lines.push(line);
			if (line.includes("chat.final")) break;
		}
		const events = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
		const text = events
			.filter(({ event }) => event === "chat.delta")
			.map(({ data }) => data.text)
			.join("");
		expect(text).toBe(textOf(`/stream ${count} words`));
		const seqs = events.map(({ data }) => data.seq);
		expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
		expect(new Set(seqs).size).toBe(seqs.length);
	}, 180_000);
});

/** A store that outlives the gateway that uses it. */
function shared(store: Store): Store {
	return {
		driver: store.driver,
		collection: (name, options) => store.collection(name, options),
		check: () => store.check(),
		close: async () => {},
	};
}
