import { readFile } from "node:fs/promises";

/**
 * When the process started, as text that tells it from a later process with the same pid; null when
 * there is no such process, or it is dead and only waits for its parent; "" where only the pid is
 * known (systems without /proc).
 */
export async function startOfProcess(pid: number): Promise<string | null> {
	try {
		process.kill(pid, 0);
	} catch (error) {
		// EPERM: it is there, and another user's.
		if ((error as NodeJS.ErrnoException).code === "ESRCH") return null;
	}
	if (process.platform !== "linux") return "";
	const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
	if (stat === null) return null;
	// Fields from the third on follow the command's name, which may hold spaces and brackets itself.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [state, startTime] = [fields[0], fields[19]];
	return state === "Z" || state === "X" ? null : (startTime ?? "");
}

/** Changes when the machine restarts; null where it is not known. */
export async function bootId(): Promise<string | null> {
	const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
	return text?.trim() || null;
}
