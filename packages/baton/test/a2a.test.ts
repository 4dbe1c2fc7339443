import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { freePort, requirePart, startRedis, type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";

const run = promisify(execFile);
const COUNT = "count to 60 every 20ms";
const NUMBERS = Array.from({ length: 60 }, (_, i) => i + 1).join(" ");

describe("A2A as npm start serves it", () => {
	let home: TempDir;
	const servers: Server[] = [];
	beforeEach(async () => {
		home = await tempDir("baton-a2a");
	});
	afterEach(async () => {
		for (const { process } of servers.splice(0)) await process.stop();
		await home.remove();
	});

	async function start(
		env: Record<string, string> = {},
	): Promise<{ url: string; key: string; line: string }> {
		const port = await freePort();
		const server = await startServer({
			home: home.path,
			env: { BATON_A2A_PORT: `${port}`, ...env },
		});
		servers.push(server);
		const line = await server.process.waitForLine((text) => text.includes("SendStreamingMessage"));
		return { url: `http://127.0.0.1:${port}`, key: server.key, line: line.trim() };
	}

	it("answers the line that it prints, by the Agentforce simulator, which says that it is one", async () => {
		const { line } = await start();
		const { stdout } = await run("sh", ["-c", line]);
		expect(stdout).toContain("TASK_STATE_COMPLETED");
		expect(stdout).toContain("simulator");
	});

	it("answers a client of 0.3 at the same address, and the demo agent at its own", async () => {
		const { url, key } = await start();
		const message = {
			kind: "message",
			messageId: "m",
			role: "user",
			parts: [{ kind: "text", text: "count to 3" }],
		};
		const body = JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method: "message/send",
			params: { message },
		});
		const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
		for (const path of ["", "/agents/demo"]) {
			const response = await fetch(url + path, { method: "POST", headers, body });
			expect(await response.json()).toMatchObject({
				result: {
					kind: "task",
					status: { state: "completed" },
					artifacts: [{ parts: [{ kind: "text", text: "1 2 3" }] }],
				},
			});
		}
	});

	it.skipIf(!requirePart("redis-server"))(
		"is followed on another server of the same Redis, from the middle",
		async () => {
			const redis = await startRedis();
			const [a, b] = [await start({ REDIS_URL: redis.url }), await start({ REDIS_URL: redis.url })];
			const headers = {
				authorization: `Bearer ${a.key}`,
				"content-type": "application/json",
				"a2a-version": "1.0",
			};
			const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: COUNT }] };
			const configuration = { returnImmediately: true };
			const sent = await fetch(`${a.url}/message:send`, {
				method: "POST",
				headers,
				body: JSON.stringify({ message, configuration }),
			});
			const { task } = (await sent.json()) as { task: { id: string } };
			const followed = await (
				await fetch(`${b.url}/tasks/${task.id}:subscribe`, { headers })
			).text();
			const words = [...followed.matchAll(/"text":"([\d ]+)"/g)].map(([, text]) => text).join("");
			expect(words).toBe(NUMBERS);
			expect(followed).toContain("TASK_STATE_COMPLETED");
			await redis.stop();
		},
	);
});
