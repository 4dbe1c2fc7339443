import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const TRIES = 50;
const POLL_MS = 10;

/** Waits until nobody of a killed group runs: a killed process needs a moment to go. Bounded. */
export async function waitForGroup(pgid: number): Promise<void> {
	for (let tries = 0; tries < TRIES && (await isRunning(pgid)); tries++) await sleep(POLL_MS);
}

async function isRunning(pgid: number): Promise<boolean> {
	try {
		// Signal 0 only asks, so asking about a group that is someone else's by now is harmless.
		process.kill(-pgid, 0);
	} catch {
		return false;
	}
	return process.platform === "linux" ? hasLiving(pgid) : true;
}

/** Zombies are in the group until they are reaped, which in a container may be never. */
async function hasLiving(pgid: number): Promise<boolean> {
	for (const name of await readdir("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
		const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		if (Number(group) === pgid && state !== "Z" && state !== "X") return true;
	}
	return false;
}
