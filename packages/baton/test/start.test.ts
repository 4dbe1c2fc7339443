import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type TempDir, tempDir, waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunOptions, runBaton, type Server, startServer } from "./support/baton";
import { allLines, attach, run, textOf } from "./support/turn";

let home: TempDir;
const servers: Server[] = [];

beforeEach(async () => {
	home = await tempDir();
});
afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.process.stop()));
	await home.remove();
});

async function start(options: Partial<RunOptions> = {}, args: string[] = []): Promise<Server> {
	const server = await startServer({ home: home.path, ...options }, args);
	servers.push(server);
	return server;
}

describe("baton start, with no settings", () => {
	it("makes a key that only its owner can read, and prints it in a line to try", async () => {
		const { key, banner, url } = await start();
		const path = join(home.path, ".proj-jarvis", "api-key");
		expect((await readFile(path, "utf8")).trim()).toBe(key);
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		expect(Buffer.from(key, "base64url")).toHaveLength(32);
		expect(banner).toContain(`${url}/agent-api/run`);
		expect(banner).toContain("demo (offline, needs no key)");
		expect(banner).toContain("files in ~/.proj-jarvis");
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	});

	it("keeps the key for the next start", async () => {
		const first = await start();
		first.process.kill("SIGTERM");
		await first.process.exited;
		expect((await start()).key).toBe(first.key);
	});

	it("prints a line that works when it is pasted", async () => {
		const { curl } = await start();
		const { stdout } = await promisify(execFile)("sh", ["-c", `${curl} --silent`]);
		const lines = stdout.trim().split("\n");
		expect(JSON.parse(lines[0]!)).toMatchObject({ type: "relay.session" });
		expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: "result", status: "success" });
	});

	it("streams a turn, and replays it to who attaches", async () => {
		const server = await start();
		const lines = await allLines(await run(server, "/stream 20 words", { session_id: "chat" }));
		const again = await allLines(await attach(server, "chat"));
		expect(textOf(lines)).toMatch(/^w1 w2 .* w20$/);
		expect(again.slice(1)).toEqual(lines.slice(1));
		expect(existsSync(join(home.path, ".proj-jarvis", "sessions"))).toBe(true);
	});

	it("keeps the events of a turn for the time that is set, then answers with the messages", async () => {
		const server = await start({ env: { BATON_KEEP_EVENTS_SECONDS: "1" } });
		await allLines(await run(server, "/stream 3 words", { session_id: "chat" }));
		const reset = await waitFor(async () => {
			const lines = await allLines(await attach(server, "chat"));
			return lines.find(({ type }) => type === "reset");
		});
		expect(reset).toMatchObject({
			reason: "trimmed",
			messages: [
				{ role: "user", content: "/stream 3 words" },
				{ role: "assistant", content: "w1 w2 w3" },
			],
		});
	});

	it("says how it is, and answers 404 in JSON elsewhere", async () => {
		const { url } = await start();
		const health = await (await fetch(`${url}/health`)).json();
		expect(health).toMatchObject({ status: "ok", uptime: expect.any(Number) });
		const elsewhere = await fetch(`${url}/elsewhere`);
		expect(elsewhere.status).toBe(404);
		expect(await elsewhere.json()).toMatchObject({ ok: false, errorCode: "NOT_FOUND" });
	});

	it("serves the web app on the same port, and the agent API beside it", async () => {
		const { url, banner, process, call } = await startServer({
			home: home.path,
			env: { BATON_WEB: "on" },
		});
		expect(banner).toContain(`Web         ${url}`);
		expect(banner.trimStart(), "nothing is said before it").toMatch(/^Baton \d/);
		const page = await fetch(url);
		expect(page.headers.get("content-type")).toContain("text/html");
		expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
		const chats = await fetch(`${url}/api/chats`);
		expect(await chats.json()).toEqual({ agent: { name: "demo" }, chats: [] });
		expect((await call("run", { type: "agent.run", message: "hi" })).status).toBe(200);
		process.kill("SIGTERM");
		expect(await process.exited).toMatchObject({ code: 0 });
	});
});

describe("baton start, with settings", () => {
	it("takes the keys that are set, each its owner's, and does not print them", async () => {
		const keys = "ada:ada-key-0123456789,bob:bob-key-0123456789";
		const server = await start({ env: { BATON_API_KEYS: keys } });
		const mine = await allLines(await run(server, "Hello", { session_id: "chat" }));
		expect(mine.at(-1)).toMatchObject({ type: "result", status: "success" });
		const sessionId = mine.find(({ type }) => type === "init")?.session_id;
		const asBob = await fetch(`${server.url}/agent-api/run`, {
			method: "POST",
			headers: { authorization: "Bearer bob-key-0123456789" },
			body: JSON.stringify({ type: "agent.run", session_id: sessionId, attach: true }),
		});
		expect(asBob.status).toBe(404);
		expect(server.banner).not.toMatch(/ada-key|bob-key/);
		expect(existsSync(join(home.path, ".proj-jarvis", "api-key"))).toBe(false);
	});

	it("lets demo stand in for an agent without its key, and says so", async () => {
		const server = await start({ env: { BATON_AGENT: "anthropic/some-model" } });
		expect(server.banner).toContain(
			"demo, in place of anthropic/some-model: ANTHROPIC_API_KEY is not set",
		);
		const lines = await allLines(await run(server, "Hello"));
		expect(lines.at(-1)).toMatchObject({
			status: "success",
			notice: expect.stringContaining("in place of anthropic/some-model"),
		});
	});

	it("serves no stand-in when told so: an error names the variable", async () => {
		const env = { BATON_AGENT: "gemini", BATON_DEMO: "off" };
		const refused = await runBaton(["start"], { home: home.path, env });
		expect(refused.exit.code).toBe(2);
		expect(refused.stderr).toContain("GEMINI_API_KEY is not set");
		const server = await start({ env: { BATON_DEMO: "off" } });
		const lines = await allLines(await run(server, "Hello", { agent: "gemini" }));
		expect(lines.at(-1)).toMatchObject({
			status: "error",
			error: { type: "missing_key", message: expect.stringContaining("GEMINI_API_KEY") },
		});
	});

	it("takes options before the environment", async () => {
		const server = await start({ env: { BATON_AGENT: "no-such" } }, ["--agent", "demo"]);
		expect(server.banner).toContain("demo (offline");
	});
});

describe("baton", () => {
	it.each([
		[["--help"], "baton start"],
		[[], "baton doctor"],
		[["start", "--help"], "--port"],
		[["doctor", "--help"], "--json"],
		[["--version"], "0."],
	])("%j explains itself", async (args, said) => {
		const { exit, stdout } = await runBaton(args, { home: home.path });
		expect(exit.code).toBe(0);
		expect(stdout).toContain(said);
	});

	it.each([[["strat"]], [["start", "--prot", "1"]], [["start", "extra"]]])(
		"%j is refused",
		async (args) => {
			const { exit, stderr } = await runBaton(args, { home: home.path });
			expect(exit.code).toBe(2);
			expect(stderr).toContain("baton --help");
		},
	);
});
