import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Where a program is in PATH, or null. */
export async function findProgram(name: string, path: string): Promise<string | null> {
	for (const folder of path.split(delimiter).filter(isAbsolute)) {
		const candidate = join(folder, name);
		const found = await access(candidate, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (found) return candidate;
	}
	return null;
}
