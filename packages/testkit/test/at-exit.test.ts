import { existsSync, rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type NodeProcess, requirePart, spawnNode, waitFor } from "../src";
import { isAlive } from "./is-alive";

const starter = `
	import { spawnNode, startRedis, tempDir } from "@baton/testkit";
	const redis = await startRedis();
	const child = spawnNode({ code: "setInterval(() => {}, 1000)", cwd: "." });
	const dir = await tempDir();
	console.log(JSON.stringify({ pids: [redis.pid, child.pid], folders: [redis.dir, dir.path] }));
	process.argv.includes("leave") ? process.exit(3) : setInterval(() => {}, 1000);
`;

describe.skipIf(!requirePart("redis-server"))("what a process started and did not stop", () => {
	let parent: NodeProcess;
	afterEach(() => parent.stop());

	async function startParent(...args: string[]) {
		parent = spawnNode({ code: starter, cwd: import.meta.dirname }, { args });
		const line = await parent.waitForLine("{");
		return JSON.parse(line) as { pids: number[]; folders: string[] };
	}
	const ended = (pids: number[]) => waitFor(() => !pids.some(isAlive), { timeoutMs: 3_000 });

	it("is gone after a plain exit, folders too", async () => {
		const { pids, folders } = await startParent("leave");

		expect(await parent.exited).toEqual({ code: 3, signal: null });

		await ended(pids);
		expect(folders.filter(existsSync)).toEqual([]);
	});

	it("is gone after SIGTERM, folders too, and the signal still ends the process", async () => {
		const { pids, folders } = await startParent();

		parent.kill("SIGTERM");

		expect(await parent.exited).toEqual({ code: null, signal: "SIGTERM" });
		await ended(pids);
		expect(folders.filter(existsSync)).toEqual([]);
	});

	it.runIf(process.platform === "linux")("is gone after SIGKILL", async () => {
		const { pids, folders } = await startParent();

		parent.kill("SIGKILL");

		await ended(pids);
		for (const folder of folders) rmSync(folder, { recursive: true }); // Nobody was left to do it.
	});
});
