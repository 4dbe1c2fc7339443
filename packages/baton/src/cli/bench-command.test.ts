import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { benchCommand } from "./bench-command";

let folder: TempDir;
let program: string;
beforeEach(async () => {
	folder = await tempDir("baton-bench");
	program = join(folder.path, "run.mjs");
	await writeFile(program, "process.exit(process.argv.includes('--quick') ? 0 : 7);");
});
afterEach(() => folder.remove());

describe("baton bench", () => {
	it("says where the benchmarks are, when they are not here", async () => {
		await expect(benchCommand([], program)).rejects.toThrow("In a clone: npm run bench.");
	});

	it("runs those that are named, and tells by its exit code whether all went well", async () => {
		await writeFile(join(folder.path, "turn-kill.bench.mjs"), "");
		expect(await benchCommand(["turn", "--quick"], program)).toBe(0);
		expect(await benchCommand([], program)).toBe(1);
		await expect(benchCommand(["trun"], program)).rejects.toThrow(
			'there is no benchmark "trun". There are: turn-kill.',
		);
	});
});
