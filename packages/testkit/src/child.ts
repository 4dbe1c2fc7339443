import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { atExit } from "./at-exit";
import { findBinary } from "./parts";

export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

/**
 * Starts a process that does not outlive this one, however this one ends: by `atExit`, and against
 * SIGKILL by the kernel's parent-death signal where `setpriv` can set it (it then becomes the
 * command, so the pid is the command's own).
 */
export function spawnChild(command: string, args: string[], options: SpawnOptions): ChildProcess {
	const guard = process.platform === "linux" && findBinary("setpriv") !== undefined;
	const child = guard
		? spawn("setpriv", ["--pdeathsig", "KILL", "--", command, ...args], options)
		: spawn(command, args, options);
	const forget = atExit(() => child.kill("SIGKILL"));
	child.once("exit", forget);
	child.once("error", forget);
	return child;
}

/** Resolves when the process has ended and all its output has been read. */
export function exitOf(child: ChildProcess): Promise<Exit> {
	return new Promise((resolve, reject) => {
		child.once("close", (code, signal) => resolve({ code, signal }));
		child.once("error", reject);
	});
}
