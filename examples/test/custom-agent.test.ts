import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { spawnNode, tempDir } from "@baton/testkit";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../custom-agent.mjs", import.meta.url));
const COUNT = Array.from({ length: 20 }, (_, n) => 20 - n).join(" ");

it("custom-agent: killed in the middle and run again, it says everything once, and leaves nothing", async () => {
	const folder = await tempDir("baton-example");
	try {
		const killed = spawnNode(program, { env: { TMPDIR: folder.path } });
		await killed.waitForLine("20 19 18");
		killed.kill("SIGKILL");
		await killed.exited;
		expect(await readdir(folder.path)).toHaveLength(1);
		const again = spawnNode(program, { env: { TMPDIR: folder.path } });
		const lines: string[] = [];
		for await (const line of again.lines) lines.push(line);
		expect((await again.exited).code, again.stderr).toBe(0);
		expect(lines.at(-1)).toBe(`${COUNT} lift-off`);
		expect(await readdir(folder.path)).toEqual([]);
	} finally {
		await folder.remove();
	}
});
