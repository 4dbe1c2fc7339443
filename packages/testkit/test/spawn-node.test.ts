import { writeFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type NodeProcess, spawnNode, tempDir } from "../src";
import { isAlive } from "./is-alive";

const here = import.meta.dirname;

describe("spawnNode", () => {
	const started: NodeProcess[] = [];
	const run = (code: string, options?: Parameters<typeof spawnNode>[1]) => {
		const child = spawnNode({ code, cwd: here }, options);
		started.push(child);
		return child;
	};
	afterEach(() => Promise.all(started.splice(0).map((child) => child.stop())));

	it("runs module code with arguments, environment and the imports of its folder", async () => {
		const child = run(
			`import { Redis } from "ioredis";
			console.log(typeof Redis, process.argv.at(-1), process.env.BATON_PLACE);`,
			{ args: ["first"], env: { BATON_PLACE: "here" } },
		);

		expect(await child.waitForLine("function")).toBe("function first here");
		expect(await child.exited).toEqual({ code: 0, signal: null });
	});

	it("runs a script file", async () => {
		const dir = await tempDir();
		await writeFile(`${dir.path}/hello.mjs`, "console.log('hello', process.argv[2])");

		const child = spawnNode(`${dir.path}/hello.mjs`, { args: ["you"] });

		expect(await child.waitForLine("hello")).toBe("hello you");
		await child.exited;
		await dir.remove();
	});

	it("gives every line that a killed process wrote, then ends", async () => {
		const child = run("let n = 0; setInterval(() => console.log('ack', ++n), 1)");
		await child.waitForLine("ack 20");

		child.kill("SIGKILL");
		const lines: string[] = [];
		for await (const line of child.lines) lines.push(line);

		expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
		expect(lines.length).toBeGreaterThanOrEqual(20);
		expect(lines).toEqual(lines.map((_, index) => `ack ${index + 1}`));
	});

	it("finds the next match with each call of waitForLine", async () => {
		const child = run("console.log('a 1'); console.log('b 1'); console.log('a 2')");

		expect(await child.waitForLine("a")).toBe("a 1");
		expect(await child.waitForLine((line) => line.includes("a"))).toBe("a 2");
	});

	it("rejects with the standard error of a process that ended without the line", async () => {
		const child = run("throw new Error('broken on purpose')");

		await expect(child.waitForLine("ready")).rejects.toThrow(/broken on purpose/);
	});

	it("rejects when the line does not come in time", async () => {
		const child = run("setInterval(() => {}, 1000)");

		await expect(child.waitForLine("ready", 50)).rejects.toThrow(/in 50 ms/);
	});

	it("ends a stopped process", async () => {
		const child = run("console.log('ready'); setInterval(() => {}, 1000)");
		await child.waitForLine("ready");
		child.kill("SIGSTOP");

		await child.stop();

		expect(isAlive(child.pid)).toBe(false);
	});
});
