// What the resume bench needs running: Redis, an agent API, a process that pauses turns, and a
// process that writes a resumable stream.
import { fileURLToPath } from "node:url";
import { spawnNode, startRedis } from "@baton/testkit";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

export async function startParts() {
	const redis = await startRedis();
	const api = spawnNode(path("../../test/support/fake-server.mjs"));
	const [, apiUrl] = (await api.waitForLine("listening")).split(" ");
	const env = { REDIS_URL: redis.url, AGENT_API_URL: apiUrl, AGENT_API_KEY: "none" };
	const instance = spawnNode(path("../../test/support/instance.mjs"), { env });
	const [, port] = (await instance.waitForLine("listening")).split(" ");
	const writer = spawnNode(path("../../../../bench/attach-writer.mjs"), { args: [redis.url] });
	await writer.waitForLine("written");
	return {
		redisUrl: redis.url,
		apiUrl,
		instanceUrl: `http://127.0.0.1:${port}`,
		async stop() {
			await Promise.all([api.stop(), instance.stop(), writer.stop()]);
			await redis.stop();
		},
	};
}
