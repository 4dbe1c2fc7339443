import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const DEFAULT = ".proj-jarvis";

/** The data folder, made with its `sessions` folder when missing. `BATON_DATA_DIR` moves it. */
export function getDataDir(): string {
	const set = process.env.BATON_DATA_DIR?.trim();
	const dir = set ? resolve(set.replace(/^~(?=\/|$)/, homedir())) : join(homedir(), DEFAULT);
	mkdirSync(sessionsIn(dir), { recursive: true, mode: 0o700 });
	return dir;
}

export function getSessionsDir(): string {
	return sessionsIn(getDataDir());
}

/** Where a data folder has its sessions. */
export function sessionsIn(dataDir: string): string {
	return join(dataDir, "sessions");
}
