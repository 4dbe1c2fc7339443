import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { spawnNode, type TempDir, tempDir, waitFor } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLI, cleanEnv, runBaton, type Server, startServer } from "./support/baton";
import { allLines, run } from "./support/turn";

interface Listed {
	sessions: { id: string; state: string; label: string; door: string }[];
	more: boolean;
}

let home: TempDir;
let server: Server;
const sessions = (args: string[], env: Record<string, string> = {}) =>
	runBaton(["sessions", ...args], { home: home.path, env });
const list = async (...args: string[]) =>
	JSON.parse((await sessions(["list", "--json", ...args])).stdout) as Listed;
const say = async (message: string, session_id: string) => {
	const lines = await allLines(await run(server, message, { session_id }));
	return String(lines.find(({ type }) => type === "init")?.session_id);
};

beforeAll(async () => {
	home = await tempDir("baton-sessions");
	server = await startServer({ home: home.path });
});
afterAll(async () => {
	await server?.process.stop();
	await home?.remove();
});

/** `baton sessions follow` in a process of its own, that may be interrupted. */
function follow(id: string, args: string[], configuredPort = "0") {
	const env = { ...cleanEnv(), HOME: home.path, BATON_PORT: configuredPort };
	return spawnNode(CLI, { args: ["sessions", "follow", id, ...args], env });
}

/** Begins a turn that runs long, and waits until it has said something. */
async function begin(message: string, session_id: string): Promise<string> {
	void run(server, message, { session_id }).catch(() => {});
	const headers = { authorization: `Bearer ${server.key}` };
	const state = async () => {
		const response = await fetch(`${server.url}/agent-api/sessions/${session_id}`, { headers });
		const found = (await response.json()) as { id: string; state?: string; last: number };
		return found.state === "running" && found.last > 5 ? found.id : null;
	};
	return waitFor(state, { what: "the turn to run" });
}

/* In this order: what the first ones leave, the later ones use. */
describe("baton sessions, beside a running server", () => {
	it("lists what there is, for people and for scripts", async () => {
		const ids = [await say("Hello, my name is Ada.", "one"), await say("count to 3", "two")];
		const { stdout, exit } = await sessions(["list"]);
		expect(exit.code).toBe(0);
		const rows = stdout.split("\n");
		expect(rows[0]).toMatch(new RegExp(`^${ids[1]} .* done +agent-api +count to 3$`));
		expect(rows[1]).toContain(ids[0]);
		expect(await list("--limit", "1")).toMatchObject({ sessions: [{ id: ids[1] }], more: true });
		expect(await list("--search", "name is")).toMatchObject({ sessions: [{ id: ids[0] }] });
		const wrong = await sessions(["list", "--state", "asleep"]);
		expect([wrong.exit.code, wrong.stderr]).toEqual([2, expect.stringContaining("state")]);
	});

	it("shows where one stands and what was said, and says when it is not there", async () => {
		const { stdout } = await sessions(["show", "one"]);
		expect(stdout).toMatch(/^session +[0-9a-f-]{36} \(one\)$/m);
		expect(stdout).toMatch(/^state +done$/m);
		expect(stdout).toContain("› Hello, my name is Ada.");
		const { stdout: json } = await sessions(["show", "two", "--json"]);
		expect(JSON.parse(json)).toMatchObject({
			session: { state: "done", agent: "demo" },
			messages: [{ role: "user" }, { role: "assistant", content: "1 2 3" }],
		});
		const absent = await sessions(["show", randomUUID()]);
		expect([absent.exit.code, absent.stdout]).toEqual([3, ""]);
		expect(absent.stderr).toMatch(/There is no session "\S+" of yours\./);
	});

	it("follows a turn through a restart of the server: every event once, in order", async () => {
		// While the server is away, only a stranger's answers at the port that is configured.
		const strangersHome = await tempDir("baton-stranger");
		const stranger = await startServer({ home: strangersHome.path });
		const id = await begin("count to 5000 every 10ms", "long");
		const following = follow(id, ["--once", "--json"], new URL(stranger.url).port);
		const lines: { seq: number; type: string }[] = [];
		const reading = (async () => {
			for await (const line of following.lines) lines.push(JSON.parse(line));
		})();
		await waitFor(() => lines.length > 20);
		server.process.kill("SIGKILL");
		await server.process.exited;
		server = await startServer({ home: home.path });
		await waitFor(() => lines.some(({ type }) => type === "recovered"), { timeoutMs: 30_000 });
		await server.call("abort", { session_id: id });
		await reading;
		expect((await following.exited).code).toBe(0);
		const seqs = lines.map(({ seq }) => seq);
		expect(seqs).toEqual(seqs.map((_, i) => seqs[0]! + i));
		expect(lines.at(-1)).toMatchObject({ type: "result", status: "aborted" });
		await stranger.process.stop();
		await strangersHome.remove();
	}, 60_000);

	it("follows what has ended by saying so, and where to look; standard output stays for events", async () => {
		const way = "Nothing runs in this session. What was said: baton sessions show one.";
		for (const json of [[], ["--json"]]) {
			const { exit, stdout, stderr } = await sessions(["follow", "one", "--once", ...json]);
			expect([exit.code, stdout]).toEqual([0, ""]);
			expect(stderr).toContain(way);
		}
		const events = await sessions(["follow", "one", "--once", "--after", "0", "--json"]);
		expect(events.stderr).not.toContain("Nothing runs");
		expect(JSON.parse(events.stdout.split("\n").at(-1) ?? "")).toMatchObject({ type: "result" });
		const waits = follow("one", []);
		await waitFor(() => waits.stderr.includes("what comes is shown here"));
		await say("Who am I?", "one");
		await waits.waitForLine("› Who am I?");
		waits.kill("SIGINT");
		expect((await waits.exited).code).toBe(0);
	});

	it("exports through the server, also what that keeps in files", async () => {
		const out = join(home.path, "out");
		const exported = await sessions(["export", "--out", out, "one", randomUUID(), "--json"]);
		expect(exported.exit.code).toBe(3);
		const { exported: files } = JSON.parse(exported.stdout) as { exported: { key: string }[] };
		expect(files).toEqual([{ key: expect.any(String), messages: 4 }]);
		const [first] = (await readFile(join(out, `${files[0]?.key}.jsonl`), "utf8")).split("\n");
		expect(JSON.parse(first ?? "")).toMatchObject({ content: "Hello, my name is Ada." });
	});

	it("deletes with what runs, once told that it is meant; Ctrl-C leaves and stops nothing", async () => {
		await begin("count to 5000 every 10ms", "endless");
		const [left, stays] = [follow("endless", []), follow("endless", ["--json"])];
		await left.waitForLine((line) => line === "› count to 5000 every 10ms", 20_000);
		left.kill("SIGINT");
		expect((await left.exited).code).toBe(0);
		await stays.waitForLine((line) => line.includes('"message"'), 20_000);
		const unsure = await sessions(["delete", "endless"]);
		expect([unsure.exit.code, unsure.stderr]).toEqual([2, expect.stringContaining("--yes")]);
		const absent = randomUUID();
		const deleted = await sessions(["delete", "endless", absent, "--yes", "--json"]);
		expect(deleted.exit.code).toBe(3);
		expect(JSON.parse(deleted.stdout)).toEqual({ deleted: ["endless"], absent: [absent] });
		expect((await stays.exited).code).toBe(3);
	});

	it("without a server does the same on the data folder, and runs no turn", async () => {
		await begin("count to 5000 every 10ms", "cut-off");
		server.process.kill("SIGKILL");
		await server.process.exited;
		const followed = await sessions(["follow", "cut-off", "--json"]);
		expect(followed.exit.code).toBe(0);
		expect(followed.stderr).toContain("No server runs here");
		expect(followed.stdout).toContain('"content":"1 "');
		expect((await sessions(["delete", "two", "--yes"])).stdout).toBe("two  deleted");
		const { sessions: left } = await list();
		expect(left.map(({ label, state }) => [label, state])).toEqual([
			["count to 5000 every 10ms", "running"],
			["count to 5000 every 10ms", "stopped"],
			["Hello, my name is Ada.", "done"],
		]);
	});
});

describe("baton sessions, where Baton never was", () => {
	it("finds nothing, and leaves nothing behind", async () => {
		const fresh = await tempDir("baton-fresh");
		const { exit, stderr } = await runBaton(["sessions", "list"], { home: fresh.path });
		expect([exit.code, stderr]).toEqual([0, expect.stringContaining("There is none.")]);
		expect(await readdir(fresh.path)).toEqual([]);
		await fresh.remove();
	});
});

describe("baton's help", () => {
	it.each([
		[["--help"], "Exit codes: 0 done"],
		[["sessions", "follow", "--help"], "--after <seq>"],
	])("%j teaches", async (args, text) => {
		const { exit, stdout } = await runBaton(args, { home: home.path });
		expect([exit.code, stdout]).toEqual([0, expect.stringContaining(text)]);
	});
});
