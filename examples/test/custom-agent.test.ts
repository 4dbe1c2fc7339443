import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type NodeProcess, spawnNode, tempDir } from "@baton/testkit";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../custom-agent.mjs", import.meta.url));
const BEGIN = ["input_admitted 20", "init"];
const COUNT = Array.from({ length: 20 }, (_, n) => `message ${20 - n}`);

it("custom-agent: killed in the middle and run again, it says everything once, and leaves nothing", async () => {
	const folder = await tempDir("baton-example");
	try {
		const killed = spawnNode(program, { env: { TMPDIR: folder.path } });
		await killed.waitForLine("message 18");
		killed.kill("SIGKILL");
		const said = await linesOf(killed);
		expect(await readdir(folder.path)).toHaveLength(1);

		const again = spawnNode(program, { env: { TMPDIR: folder.path } });
		const lines = await linesOf(again);
		expect((await again.exited).code, again.stderr).toBe(0);
		const takenBack = lines.indexOf("retract");
		const half = lines.slice(0, takenBack);
		expect(half.slice(0, said.length)).toEqual(said);
		expect([...BEGIN, ...COUNT].slice(0, half.length)).toEqual(half);
		expect(lines.slice(takenBack)).toEqual([
			"retract",
			"recovered",
			...COUNT,
			"message lift-off",
			"result",
		]);
		expect(await readdir(folder.path)).toEqual([]);
	} finally {
		await folder.remove();
	}
});

it("custom-agent: has thirty lines", async () => {
	const lines = (await readFile(program, "utf8")).trimEnd().split("\n");
	expect(lines.length).toBeLessThanOrEqual(30);
});

async function linesOf(process: NodeProcess): Promise<string[]> {
	const lines: string[] = [];
	for await (const line of process.lines) lines.push(line.trimEnd());
	await process.exited;
	return lines;
}
