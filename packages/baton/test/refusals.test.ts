import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { freePort, requirePart, startRedis, type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runBaton, startServer } from "./support/baton";
import { allLines, run } from "./support/turn";

let home: TempDir;
beforeEach(async () => {
	home = await tempDir();
});
afterEach(() => home.remove());

const start = (env: Record<string, string>) => runBaton(["start"], { home: home.path, env });

async function takePort(): Promise<Server> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe("baton start refuses", () => {
	it("wrong settings, naming each one with its reason", async () => {
		const { exit, stderr, stdout } = await start({
			BATON_PORT: "many",
			BATON_DEMO: "maybe",
			BATON_API_KEYS: "only-a-key-without-owner",
		});
		expect(exit.code).toBe(2);
		expect(stderr).toContain("3 settings are wrong");
		expect(stderr).toMatch(/BATON_PORT +"many" is not a whole number/);
		expect(stderr).toMatch(/BATON_DEMO +"maybe" is neither on nor off/);
		expect(stderr).toMatch(/BATON_API_KEYS +entry 1 is not owner:key/);
		expect(stderr + stdout).not.toContain("only-a-key");
	});

	it("an agent that there is not", async () => {
		const { exit, stderr } = await start({ BATON_AGENT: "hal" });
		expect(exit.code).toBe(2);
		expect(stderr).toMatch(/BATON_AGENT +There is no agent "hal"/);
	});

	it("every port that is taken, all at once, each with a way out that works", async () => {
		const others = await Promise.all([takePort(), takePort(), takePort()]);
		const [web = 0, gateway = 0, a2a = 0] = others.map(portOf);
		const wanted = {
			BATON_PORT: String(web),
			PROJ_JARVIS_PORT: String(gateway),
			BATON_A2A_PORT: String(a2a),
		};
		const { exit, stderr } = await start(wanted);
		const ways = [...stderr.matchAll(/(\w+_PORT)=(\d+)/g)].map(([, name, port]) => [name, port]);
		const again = await startServer({ home: home.path, env: Object.fromEntries(ways) });
		await again.process.stop();
		for (const other of others) other.close();
		expect(exit.code).toBe(1);
		for (const port of [web, gateway, a2a]) {
			expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
		}
		expect(ways.map(([name]) => name)).toEqual(Object.keys(wanted));
		expect(stderr).not.toContain("    at ");
	});

	it("one that is taken, without a word about those that are free", async () => {
		const other = await takePort();
		const { exit, stderr } = await start({ PROJ_JARVIS_PORT: String(portOf(other)) });
		other.close();
		expect(exit.code).toBe(1);
		expect(stderr.match(/is taken/g)).toHaveLength(1);
		expect(stderr).toMatch(/PROJ_JARVIS_PORT=\d+\.\n/);
	});

	it("a data folder that another process owns, and names that one", async () => {
		const server = await startServer({ home: home.path });
		const { exit, stderr } = await start({});
		const pid = server.process.pid;
		await server.process.stop();
		expect(exit.code).toBe(1);
		expect(stderr).toContain(`process ${pid}`);
	});

	it("to do without a Redis that is configured, and keeps its password", async () => {
		const port = await freePort();
		const { exit, stderr } = await start({ REDIS_URL: `redis://ada:hunter22@127.0.0.1:${port}` });
		expect(exit.code).toBe(1);
		expect(stderr).toContain(`Redis at redis://127.0.0.1:${port} cannot be used`);
		expect(stderr).toContain("REDIS_URL");
		expect(stderr).not.toContain("hunter22");
	});
});

describe.skipIf(!requirePart("redis-server"))("on Redis", () => {
	it("two processes share their sessions", async () => {
		const redis = await startRedis();
		const env = { REDIS_URL: redis.url };
		const one = await startServer({ home: home.path, env });
		const other = await startServer({ home: home.path, env });
		expect(one.banner).toContain("Redis (REDIS_URL)");
		expect(other.key).toBe(one.key);
		await allLines(await run(one, "My name is Ada.", { session_id: "chat" }));
		const lines = await allLines(
			await other.call("run", { type: "agent.run", session_id: "chat", attach: true, after: 0 }),
		);
		await Promise.all([one.process.stop(), other.process.stop()]);
		await redis.stop();
		expect(lines.at(-1)).toMatchObject({ type: "result", status: "success" });
	});
});
