import { startAgentforceSimulator } from "@baton/a2a-agentforce/simulator";
import { type RedisServer, requirePart, startRedis, type TempDir, tempDir } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runBaton, type Server, startServer } from "./support/baton";
import { allLines, type Line, run, textOf } from "./support/turn";

let home: TempDir;
const servers: Server[] = [];
beforeEach(async () => {
	home = await tempDir();
});
afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.process.stop()));
	await home.remove();
});

async function start(env: Record<string, string> = {}): Promise<Server> {
	const server = await startServer({ home: home.path, env });
	servers.push(server);
	return server;
}

const ask = async (server: Server, message: string, session_id = "chat"): Promise<Line[]> =>
	allLines(await run(server, message, { session_id, agent: "agentforce" }));

const settingsOf = (simulator: Awaited<ReturnType<typeof startAgentforceSimulator>>) => ({
	SALESFORCE_SERVER_URL: simulator.settings.serverUrl,
	SALESFORCE_CLIENT_ID: simulator.settings.clientId,
	SALESFORCE_CLIENT_SECRET: simulator.settings.clientSecret,
	SALESFORCE_AGENT_ID: simulator.settings.agentId,
	SALESFORCE_API_URL: simulator.url,
});

describe("the agent agentforce", () => {
	it("is a simulator without its settings, and says so in every turn", async () => {
		const server = await start({
			BATON_AGENT: "agentforce",
			BATON_AGENTFORCE_AGENTS: "sales:0XxSALES00000001",
		});
		expect(server.banner).toContain(
			"Agentforce simulator, in place of agentforce: SALESFORCE_CLIENT_ID is not set",
		);
		expect(textOf(await ask(server, "Hello"))).toMatch(/simulator: no Salesforce org/);
		await ask(server, "My name is Ada");
		const lines = await ask(server, "What is my name?");
		expect(textOf(lines)).toBe("Your name is Ada.");
		expect(lines.at(-1)).toMatchObject({
			status: "success",
			notice:
				"The Agentforce simulator answered in place of agentforce, which needs SALESFORCE_CLIENT_ID. Set SALESFORCE_CLIENT_ID and start Baton again for the real one.",
		});
		const named = await allLines(await run(server, "Hello", { agent: "agentforce/sales" }));
		expect(named.at(-1)?.notice).toContain("answered in place of agentforce/sales, which needs ");
		const unknown = await run(server, "Hello", { agent: "agentforce/other" });
		expect(unknown.status).toBe(400);
		expect(await unknown.text()).toContain("BATON_AGENTFORCE_AGENTS has agentforce/sales");
	});

	it("is what A2A serves first, and the start says that it is simulated there", async () => {
		const { banner } = await start();
		expect(banner).toMatch(/A2A +http:\S+ {2}\(Agentforce simulator, in place of agentforce: /);
	});

	it("is an error without its settings when nothing may stand in", async () => {
		const server = await start({ BATON_DEMO: "off" });
		expect((await ask(server, "Hello")).at(-1)).toMatchObject({
			status: "error",
			error: { type: "missing_key", message: expect.stringContaining("SALESFORCE_CLIENT_ID") },
		});
	});

	it("talks to the org of its settings, also after a restart, in the same session", async () => {
		const simulator = await startAgentforceSimulator();
		try {
			const first = await start(settingsOf(simulator));
			const lines = await ask(first, "My name is Ada");
			expect(lines.at(-1)).not.toHaveProperty("notice");
			first.process.kill("SIGTERM");
			await first.process.exited;
			const second = await start(settingsOf(simulator));
			expect(textOf(await ask(second, "What is my name?"))).toBe("Your name is Ada.");
			expect(simulator.requests.filter(({ at }) => at === "start")).toHaveLength(1);
			for (const { process } of servers) {
				expect(process.stderr).not.toContain(simulator.settings.clientSecret);
			}
		} finally {
			await simulator.stop();
		}
	});

	it("tells after a restart that the simulator forgot the conversation", async () => {
		const first = await start();
		await ask(first, "My name is Ada");
		first.process.kill("SIGTERM");
		await first.process.exited;
		const lines = await ask(await start(), "What is my name?");
		expect(lines).toContainEqual(expect.objectContaining({ type: "context_lost" }));
		expect(lines.at(-1)?.notice).toMatch(/does not remember/);
	});

	it("does not start with some of its settings alone, or with a secret in the open", async () => {
		const some = { SALESFORCE_CLIENT_ID: "id", SALESFORCE_SERVER_URL: "http://org.example.com" };
		const { exit, stderr } = await runBaton(["start"], { home: home.path, env: some });
		expect(exit.code).not.toBe(0);
		expect(stderr).toMatch(/SALESFORCE_SERVER_URL.*is not an https:\/\/ address/);
		const { stderr: missing } = await runBaton(["start"], {
			home: home.path,
			env: { SALESFORCE_CLIENT_ID: "id" },
		});
		expect(missing).toMatch(/SALESFORCE_CLIENT_SECRET/);
	});
});

describe.skipIf(!requirePart("redis-server"))("agentforce on Redis", () => {
	it("keeps its sessions under the seed's keys, for every instance", async () => {
		const redis: RedisServer = await startRedis();
		const simulator = await startAgentforceSimulator();
		const raw = new Redis(redis.url);
		try {
			const env = { ...settingsOf(simulator), REDIS_URL: redis.url, SESSION_TTL_SECONDS: "600" };
			const [one, other] = [await start(env), await start(env)];
			const lines = await ask(one, "My name is Ada");
			expect(textOf(await ask(other, "What is my name?"))).toBe("Your name is Ada.");
			const { session_id } = lines.find(({ type }) => type === "init") as Line;
			const { run_id } = lines.at(-1) as Line;
			const mapping = JSON.parse((await raw.get(`session:${session_id}`)) ?? "");
			expect(mapping).toMatchObject({ a2aContextId: session_id, afSequenceId: 2, state: "active" });
			expect(await raw.get(`task:${run_id}`)).toBe(session_id);
			expect(await raw.ttl(`session:${session_id}`)).toBeLessThanOrEqual(600);
		} finally {
			raw.disconnect();
			await simulator.stop();
			await redis.stop();
		}
	});
});
