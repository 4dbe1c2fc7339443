import { once } from "node:events";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort, requirePart, startRedis, type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runBaton, startServer } from "./support/baton";

let home: TempDir;
beforeEach(async () => {
	home = await tempDir();
});
afterEach(() => home.remove());

interface Report {
	ok: boolean;
	checks: { name: string; status: string; detail: string }[];
}

async function doctor(env: Record<string, string> = {}) {
	const { exit, stdout } = await runBaton(["doctor", "--json"], { home: home.path, env });
	const { ok, checks } = JSON.parse(stdout) as Report;
	expect(exit.code).toBe(ok ? 0 : 1);
	return { ok, stdout, of: (name: string) => checks.find((check) => check.name === name) };
}

describe("baton doctor", () => {
	it("finds a fresh machine in order, and leaves nothing behind", async () => {
		const { ok, of } = await doctor();
		expect(ok).toBe(true);
		expect(of("node")).toMatchObject({ status: "ok", detail: process.version });
		expect(of("data folder")?.detail).toContain("will be made");
		expect(of("agent demo")).toMatchObject({ status: "ok" });
		expect(of("agent gemini")).toMatchObject({ status: "idle" });
		expect(await readdir(home.path)).toEqual([]);
	});

	it("is for people too", async () => {
		const { exit, stdout } = await runBaton(["doctor"], { home: home.path });
		expect(exit.code).toBe(0);
		expect(stdout).toContain("✓ agent demo");
		expect(stdout).toContain("Everything that is configured works.");
	});

	it("finds a running server, and which process owns the data folder", async () => {
		const server = await startServer({ home: home.path });
		const { ok, of } = await doctor();
		await rm(join(home.path, ".proj-jarvis", "server.json"));
		const elsewhere = await doctor();
		await server.process.stop();
		expect(ok).toBe(true);
		expect(of("server")?.detail).toContain(`Baton answers at ${server.url}`);
		expect(of("data folder")?.detail).toContain(`in use by process ${server.process.pid}`);
		expect(elsewhere.ok).toBe(false);
		expect(elsewhere.of("data folder")).toMatchObject({ status: "fail" });
	});

	it("finds a port that another program has", async () => {
		const other = createServer((_, response) => response.end("hi")).listen(0, "127.0.0.1");
		await once(other, "listening");
		const { port } = other.address() as AddressInfo;
		const { ok, of } = await doctor({ BATON_PORT: String(port) });
		other.close();
		other.closeAllConnections();
		expect(ok).toBe(false);
		expect(of("server")?.detail).toContain("taken by another program");
	});

	it("says where the gateway and A2A are to be, who may come in, and who answers there", async () => {
		const [gateway, a2a] = [await freePort(), await freePort()];
		const ports = { PROJ_JARVIS_PORT: String(gateway), BATON_A2A_PORT: String(a2a) };
		const { ok, of } = await doctor(ports);
		expect(ok).toBe(true);
		const token = join(home.path, ".proj-jarvis", "gateway-token");
		expect(of("gateway")).toMatchObject({ status: "ok", detail: `127.0.0.1:${gateway} is free` });
		expect(of("gateway token")?.detail).toBe(`one will be made in ${token}`);
		expect(of("gateway agents")?.detail).toMatch(/^assistant \(demo, .*ANTHROPIC_API_KEY/);
		expect(of("a2a")).toMatchObject({ status: "ok", detail: `127.0.0.1:${a2a} is free` });
		expect(of("a2a keys")?.detail).toBe("those of the agent API");
		expect(of("a2a agents")?.detail).toMatch(/^agentforce \(Agentforce simulator, .*, demo$/);
		expect((await doctor({ BATON_A2A_PORT: "off" })).of("a2a")).toMatchObject({ status: "idle" });
		expect(await readdir(home.path)).toEqual([]);
	});

	it("finds the doors of a running server, and those of one that is not of this data folder", async () => {
		const [gateway, a2a] = [await freePort(), await freePort()];
		const ports = { PROJ_JARVIS_PORT: String(gateway), BATON_A2A_PORT: String(a2a) };
		const server = await startServer({ home: home.path, env: ports });
		const beside = await doctor();
		const stranger = await doctor({ ...ports, BATON_DATA_DIR: join(home.path, "other") });
		await server.process.stop();
		expect(beside.of("gateway")?.detail).toContain(
			`Baton answers at ws://127.0.0.1:${gateway}, ok`,
		);
		expect(beside.of("gateway token")?.detail).toMatch(/^in .*gateway-token$/);
		expect(beside.of("a2a")?.detail).toContain(`Baton answers at http://127.0.0.1:${a2a}, ok`);
		expect(stranger.of("gateway")).toMatchObject({ status: "warn" });
		expect(stranger.of("gateway")?.detail).toContain("set PROJ_JARVIS_PORT");
		expect(stranger.of("a2a")?.detail).toContain("set BATON_A2A_PORT");
	});

	it("finds doors that could not open: a port taken, a token that is none, an agent that is not there", async () => {
		const other = createServer((_, response) => response.end("hi")).listen(0, "127.0.0.1");
		await once(other, "listening");
		const port = String((other.address() as AddressInfo).port);
		await mkdir(join(home.path, ".proj-jarvis"));
		await writeFile(join(home.path, ".proj-jarvis", "gateway-token"), "short\n");
		const { ok, of } = await doctor({
			PROJ_JARVIS_PORT: port,
			BATON_A2A_PORT: port,
			BATON_A2A_AGENTS: "hal",
		});
		other.close();
		other.closeAllConnections();
		expect(ok).toBe(false);
		for (const door of ["gateway", "a2a"]) {
			expect(of(door)).toMatchObject({ status: "fail" });
			expect(of(door)?.detail).toContain("taken by another program");
		}
		expect(of("gateway token")).toMatchObject({ status: "fail" });
		expect(of("a2a agents")?.detail).toContain('BATON_A2A_AGENTS: "hal" is no agent');
	});

	it("finds a Redis that does not answer, and keeps its password", async () => {
		const url = `redis://ada:hunter22@127.0.0.1:${await freePort()}`;
		const { ok, of, stdout } = await doctor({ REDIS_URL: url });
		expect(ok).toBe(false);
		expect(of("redis")?.detail).toContain("REDIS_URL: Redis at redis://127.0.0.1");
		expect(stdout).not.toContain("hunter22");
	});

	it.skipIf(!requirePart("redis-server"))("finds a Redis and its version", async () => {
		const redis = await startRedis();
		const { ok, of } = await doctor({ KV_URL: redis.url });
		await redis.stop();
		expect(ok).toBe(true);
		expect(of("redis")?.detail).toMatch(/^KV_URL answers, Redis \d+\.\d+/);
	});

	it("says which agents have a key, and not which one", async () => {
		const key = "a-key-of-anthropic-0123";
		const { of, stdout } = await doctor({ ANTHROPIC_API_KEY: key, BATON_API_KEYS: `ada:${key}-2` });
		expect(of("agent anthropic/…")).toMatchObject({ status: "ok" });
		expect(of("keys")?.detail).toBe("BATON_API_KEYS is set, for ada");
		expect(stdout).not.toContain(key);
	});

	it("finds a default agent that cannot serve: a warning where demo stands in, else a failure", async () => {
		const missing = await doctor({ BATON_AGENT: "openai/some-model" });
		expect(missing.ok).toBe(true);
		expect(missing.of("agent openai/some-model")).toMatchObject({ status: "warn" });
		const off = await doctor({ BATON_AGENT: "openai/some-model", BATON_DEMO: "off" });
		expect(off.ok).toBe(false);
		const program = await doctor({
			BATON_AGENT: "gemini",
			GEMINI_API_KEY: "x",
			PATH: "/usr/bin:/bin",
		});
		expect(program.of("agent gemini")?.detail).toContain("npm install -g @google/gemini-cli");
		expect(program.ok).toBe(false);
	});

	it("names every wrong setting", async () => {
		const { ok, of } = await doctor({ BATON_PORT: "x", BATON_LOG_LEVEL: "loud" });
		expect(ok).toBe(false);
		expect(of("BATON_PORT")).toMatchObject({ status: "fail" });
		expect(of("BATON_LOG_LEVEL")).toMatchObject({ status: "fail" });
	});
});
