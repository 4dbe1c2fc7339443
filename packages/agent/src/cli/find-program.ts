import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The path of an executable: itself when it is a path, else the first one in PATH. */
export async function findProgram(name: string, path: string): Promise<string | null> {
	if (isAbsolute(name)) return (await isExecutable(name)) ? name : null;
	for (const folder of path.split(delimiter)) {
		// A relative folder in PATH would mean the agent's own working folder.
		if (!isAbsolute(folder)) continue;
		const candidate = join(folder, name);
		if (await isExecutable(candidate)) return candidate;
	}
	return null;
}

async function isExecutable(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}
