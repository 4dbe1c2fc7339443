import { fileURLToPath } from "node:url";
import { type SessionValue, Turns } from "@baton/agent";
import { openStore } from "@baton/session";
import { requirePart, spawnNode, startRedis } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { AgentforceClient, createAgentforceAgent } from "../../src/agentforce";
import { BatonStore } from "../../src/session";
import { startAgentforceSimulator } from "../../src/simulator";

const RUNNER = fileURLToPath(new URL("../fixtures/agentforce-runner.mjs", import.meta.url));
const ROUNDS = process.env.BATON_FULL ? 20 : 1;

describe.skipIf(!requirePart("redis-server"))("a process that is killed in mid-answer", () => {
	it("fails its turn once, and the next message goes on in the same Agentforce session", async () => {
		const redis = await startRedis();
		const simulator = await startAgentforceSimulator();
		const store = await openStore({ driver: "redis", url: redis.url });
		const log = { info: () => {}, warn: () => {} };
		const agent = createAgentforceAgent({
			client: new AgentforceClient(simulator.settings, { times: { pauseMs: 20 } }),
			sessions: new BatonStore({ store: async () => store, ttlSeconds: 1_800 }),
			ttlSeconds: 1_800,
			log,
		});
		const turns = new Turns({
			sessions: store.collection<SessionValue>("sessions"),
			agents: () => agent,
			holder: "test",
			log,
		});
		try {
			const session = { agentId: "agentforce", owner: "local", door: "test" };
			const { key } = await turns.create(session);
			const results: Record<string, unknown>[] = [];
			const texts: string[] = [];
			const stop = new AbortController();
			const following = (async () => {
				for await (const { entries } of turns.follow(key, { signal: stop.signal })) {
					for (const { event } of entries as { event: Record<string, unknown> }[]) {
						if (event.type === "result") results.push(event);
						if (event.type === "message") texts.push(String(event.content));
					}
				}
			})();
			for (let round = 0; round < ROUNDS; round++) {
				const { agentId } = simulator.settings;
				const args = [redis.url, simulator.url, agentId, key, "count to 1000 every 20ms"];
				const child = spawnNode(RUNNER, { args });
				texts.length = 0;
				await expect.poll(() => texts.length, { timeout: 20_000 }).toBeGreaterThan(3);
				child.kill("SIGKILL");
				await child.exited;
				await expect.poll(() => results.length, { timeout: 20_000 }).toBe(2 * round + 1);
				expect(results.at(-1)).toMatchObject({
					status: "error",
					error: { type: "runner_lost", retryable: true },
				});
				await turns.send(key, { content: "What is my name?" });
				await expect.poll(() => results.length, { timeout: 30_000 }).toBe(2 * round + 2);
				expect(results.at(-1)).toMatchObject({ status: "success" });
			}
			stop.abort();
			await following;
			const streams = simulator.requests.filter(({ at }) => at === "stream");
			expect(new Set(streams.map(({ sessionId }) => sessionId)).size).toBe(1);
			const sent = streams.map(({ body }) => (body as Sent).message.sequenceId);
			expect(new Set(sent).size).toBe(2 * ROUNDS);
			expect(Math.max(...sent)).toBe(2 * ROUNDS);
		} finally {
			await turns.close();
			await store.close();
			await simulator.stop();
			await redis.stop();
		}
	}, 600_000);
});

interface Sent {
	message: { sequenceId: number };
}
