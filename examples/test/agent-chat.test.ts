import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
	type NodeProcess,
	type RedisServer,
	requirePart,
	spawnNode,
	startRedis,
	type TempDir,
	tempDir,
} from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const program = fileURLToPath(new URL("../agent-chat.mjs", import.meta.url));
const KEY = "example-key-0123456789abcdef";
const FORM = "Fill in the form, please";

describe.skipIf(!requirePart("redis-server"))("the program in the provider's README", () => {
	let redis: RedisServer;
	let folder: TempDir;
	let server: NodeProcess;
	let env: Record<string, string>;
	beforeAll(async () => {
		redis = await startRedis();
		folder = await tempDir("baton-example");
		server = spawnNode(path("../../packages/baton/dist/cli.js"), {
			args: ["start"],
			env: {
				BATON_PORT: "0",
				PROJ_JARVIS_PORT: "0",
				BATON_A2A_PORT: "off",
				BATON_API_KEYS: `local:${KEY}`,
				BATON_DATA_DIR: folder.path,
				REDIS_URL: redis.url,
			},
		});
		const line = await server.waitForLine((text) => text.includes("curl -N"), 20_000);
		const [, url = ""] = /curl -N (http:\/\/[^/]+)/.exec(line) ?? [];
		env = { AGENT_API_URL: url, KEY, REDIS_URL: redis.url };
	});
	afterAll(async () => {
		await server?.stop();
		await redis?.stop();
		await folder?.remove();
	});

	/** Runs it, to its end or to a kill; gives what it wrote. */
	async function run(chatId: string, message: string, killAfterMs?: number): Promise<string> {
		const child = spawnNode(program, { args: [chatId, message], env });
		const timer = killAfterMs === undefined ? undefined : setTimeout(child.kill, killAfterMs);
		const lines: string[] = [];
		for await (const line of child.lines) lines.push(line);
		clearTimeout(timer);
		const { code } = await child.exited;
		if (killAfterMs === undefined) expect(child.stderr, `exit code ${code}`).toBe("");
		return lines.join("\n");
	}

	it("is this one", async () => {
		const readme = await readFile(path("../../packages/giselle-provider/README.md"), "utf8");
		expect(readme).toContain(await readFile(program, "utf8"));
	});

	it("asks in one process, answers from a second, and replays to a third", async () => {
		const first = await run("form", FORM);
		expect(first).toBe("Let me look at the form. ");
		const second = await run("form", FORM);
		expect(second).toBe("Let me look at the form. There are no fields in it.");
		expect(await run("form", FORM)).toBe(second);
	});

	it("begins a conversation of its own in another chat, though the message is the same", async () => {
		for (const chatId of ["ada", "bob"]) {
			expect(await run(chatId, FORM)).toBe("Let me look at the form. ");
		}
	});

	it("killed at any moment and run again, completes the text", async () => {
		const words = Array.from({ length: 100 }, (_, index) => `w${index + 1}`).join(" ");
		const message = "/stream 100 words every 5ms";
		for (const [index, ms] of [150, 350, 550, 750, 950].entries()) {
			await run(`killed-${index}`, message, ms);
			expect(await run(`killed-${index}`, message)).toBe(words);
		}
	});
});
