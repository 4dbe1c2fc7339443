import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import * as z from "zod";

/** Enough to find a process again, and to know for sure that it is that one. */
export const processIdentitySchema = z.object({
	host: z.string(),
	pid: z.number().int().min(2),
	/** The group it leads: its own pid. */
	pgid: z.number().int().min(2),
	/** Opaque; a pid that was used again has another one. */
	startTime: z.string().min(1),
	/** What every process of the run carries in its environment. */
	mark: z.string().min(16),
});

export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

export async function identifyProcess(pid: number, mark: string): Promise<ProcessIdentity | null> {
	const startTime = await startTimeOf(pid);
	return startTime === null ? null : { host: hostname(), pid, pgid: pid, startTime, mark };
}

/** Whether the process is on this machine and still the same one. */
export async function isSameProcess({ host, pid, startTime }: ProcessIdentity): Promise<boolean> {
	return host === hostname() && (await startTimeOf(pid)) === startTime;
}

/** When the process started; null if it does not run, or only waits to be reaped. */
async function startTimeOf(pid: number): Promise<string | null> {
	return process.platform === "linux" ? startTicks(pid) : startDate(pid);
}

async function startTicks(pid: number): Promise<string | null> {
	try {
		const [stat, boot] = await Promise.all([
			readFile(`/proc/${pid}/stat`, "utf8"),
			readFile("/proc/sys/kernel/random/boot_id", "utf8"),
		]);
		// The name in parentheses may itself have spaces and parentheses: count from its end.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [state] = fields;
		// Ticks count from the boot, so the boot is part of the time.
		return state === "Z" || state === "X" ? null : `${boot.trim()}:${fields[19]}`;
	} catch {
		return null;
	}
}

async function startDate(pid: number): Promise<string | null> {
	try {
		const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
		return stdout.trim() || null;
	} catch {
		return null;
	}
}
