import { readdir, readFile } from "node:fs/promises";
import { MARK_VARIABLE } from "./watchdog-script";

/**
 * Ends every process that carries the mark: tools of an agent that left its process group. Without a
 * /proc none is found. The mark is random, so no other process can have it.
 */
export async function killMarked(mark: string): Promise<void> {
	// A process may be forking while it is looked for; what it forked is found in the next round.
	for (let round = 0; round < 5; round++) {
		const found = await findMarked(mark);
		if (found.length === 0) return;
		for (const pid of found) kill(pid);
	}
}

async function findMarked(mark: string): Promise<number[]> {
	const names = await readdir("/proc").catch(() => [] as string[]);
	const wanted = `${MARK_VARIABLE}=${mark}`;
	const found: number[] = [];
	for (const name of names) {
		const pid = Number(name);
		if (!Number.isInteger(pid) || pid === process.pid) continue;
		// Unreadable: it has ended, or it belongs to someone else.
		const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
		if (environment.split("\0").includes(wanted)) found.push(pid);
	}
	return found;
}

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It ended by itself.
	}
}
