import { readFileSync } from "node:fs";

/** Whether a process with this pid runs. A zombie, which only waits to be reaped, does not. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}
