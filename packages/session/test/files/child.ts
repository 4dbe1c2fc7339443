import { fileURLToPath } from "node:url";
import { type NodeProcess, spawnNode } from "@baton/testkit";
import { onTestFinished } from "vitest";

/** A process that runs `code` on the built package, ended after the test. `dir` is its data folder. */
export function spawnOnFolder(dir: string, code: string): NodeProcess {
	const child = spawnNode(
		{
			code: `import { openFilesStore } from "@baton/session/files";
const dir = process.argv.at(-1);
const say = (line) => process.stdout.write(line + "\\n");
${code}`,
			cwd: fileURLToPath(new URL("../..", import.meta.url)),
		},
		{ args: [dir] },
	);
	onTestFinished(() => child.stop());
	return child;
}

/** Opens the folder, says so, and stays. */
export const HOLD = `
	try {
		await openFilesStore({ dir });
		say("opened");
		setInterval(() => {}, 60_000);
	} catch (error) {
		say("refused " + error.code + " " + error.message);
	}
`;
