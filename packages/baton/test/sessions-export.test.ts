import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionManager } from "@baton/gateway";
import { connectGateway } from "@baton/gateway/client";
import {
	type RedisServer,
	requirePart,
	startRedis,
	type TempDir,
	tempDir,
	waitFor,
} from "@baton/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runBaton, type Server, startServer } from "./support/baton";

const TOKEN = "mysecrettoken";
let home: TempDir;
let server: Server | undefined;

beforeEach(async () => {
	home = await tempDir();
});
afterEach(async () => {
	await server?.process.stop();
	server = undefined;
	await home.remove();
});

/** Starts a server and talks twice. Returns the sessions' keys. */
async function talk(env: Record<string, string>): Promise<string[]> {
	server = await startServer({ home: home.path, env: { ...env, PROJ_JARVIS_TOKEN: TOKEN } });
	const [, url = ""] = /Gateway +(ws:\/\/\S+)/.exec(server.banner) ?? [];
	const client = connectGateway({ url, token: TOKEN });
	const keys: string[] = [];
	for (const label of ["First", "Second"]) {
		const { sessionKey } = await client.call("sessions.create", { label });
		const { runId } = await client.send(sessionKey, "My name is Alice.");
		await client.call("chat.wait", { sessionKey, runId });
		keys.push(sessionKey);
	}
	client.close();
	return keys;
}

describe.skipIf(!requirePart("redis-server"))("baton sessions export, from Redis", () => {
	let redis: RedisServer;
	beforeAll(async () => {
		redis = await startRedis();
	});
	afterAll(() => redis.stop());

	it("writes the seed's files, which the seed's functions and another Baton read", async () => {
		const env = { REDIS_URL: redis.url };
		const keys = await talk(env);
		const out = join(home.path, "other", "sessions");
		const exported = await runBaton(["sessions", "export", "--out", out], { home: home.path, env });
		expect(exported.exit.code).toBe(0);
		expect(exported.stdout).toContain("2 conversations in ");
		expect((await readdir(out)).sort()).toEqual(
			keys.flatMap((key) => [`${key}.jsonl`, `${key}.meta.json`]).sort(),
		);
		const manager = new SessionManager(out);
		expect((await manager.list()).map(({ label }) => label).sort()).toEqual(["First", "Second"]);
		const lines = (await readFile(join(out, `${keys[0]}.jsonl`), "utf8")).trimEnd().split("\n");
		expect(lines.map((line) => JSON.parse(line))).toMatchObject([
			{ role: "user", content: "My name is Alice.", timestamp: expect.any(Number) },
			{ role: "assistant", content: expect.stringContaining("Alice") },
		]);
		const again = await runBaton(["sessions", "export", "--out", out, keys[1]!], {
			home: home.path,
			env,
		});
		expect(again.stdout).toContain("1 conversations in ");
		const unknown = await runBaton(["sessions", "export", "--out", out, crypto.randomUUID()], {
			home: home.path,
			env,
		});
		expect(unknown.exit.code).toBe(3);

		const other = await startServer({
			home: home.path,
			env: { BATON_DATA_DIR: join(home.path, "other"), PROJ_JARVIS_TOKEN: TOKEN },
		});
		const [, url = ""] = /Gateway +(ws:\/\/\S+)/.exec(other.banner) ?? [];
		const client = connectGateway({ url, token: TOKEN });
		const said: string[] = [];
		client.subscribe(keys[0]!, ({ event, data }) => {
			if (event === "chat.delta") said.push(data.text);
		});
		await client.send(keys[0]!, "What is my name?");
		await waitFor(() => said.join("").includes("Alice"));
		client.close();
		await other.process.stop();
	}, 60_000);
});

describe("baton sessions", () => {
	it("exports from files too, when no server runs", async () => {
		await talk({});
		server?.process.kill("SIGTERM");
		await server?.process.exited;
		const out = join(home.path, "out");
		const exported = await runBaton(["sessions", "export", "--out", out], { home: home.path });
		expect(exported.stdout).toContain("2 conversations");
	});

	it.each([[["sessions"]], [["sessions", "nonsense"]], [["sessions", "export"]]])(
		"%j is refused with what there is",
		async (args) => {
			const { exit, stderr } = await runBaton(args, { home: home.path });
			expect(exit.code).toBe(2);
			expect(stderr).toMatch(/export/);
		},
	);

	it.each([
		[["delete", "one"], "baton sessions delete --help"],
		[["list", "--nope"], "baton sessions list --help"],
		[["--json", "show"], "baton sessions show --help"],
		[["--nope"], "baton sessions --help"],
	])("%j is refused, and points to the help that has the answer", async (args, help) => {
		const { exit, stderr } = await runBaton(["sessions", ...args], { home: home.path });
		expect(exit.code).toBe(2);
		expect(stderr).toContain(`\n${help} shows what there is.`);
		const shown = await runBaton(help.split(" ").slice(1), { home: home.path });
		expect([shown.exit.code, shown.stdout]).toEqual([0, expect.stringContaining("--json")]);
	});
});
