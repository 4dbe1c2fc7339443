import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "./at-exit";

export interface TempDir {
	path: string;
	remove(): Promise<void>;
}

/** A new empty folder, removed by `remove()` or when the process ends. */
export async function tempDir(prefix = "baton"): Promise<TempDir> {
	const path = await mkdtemp(join(tmpdir(), `${prefix}-`));
	const forget = atExit(() => rmSync(path, { recursive: true, force: true }));
	return {
		path,
		async remove() {
			forget();
			await rm(path, { recursive: true, force: true, maxRetries: 3 });
		},
	};
}
