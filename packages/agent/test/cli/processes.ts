import { readdirSync, readFileSync } from "node:fs";

/** Processes that run (a zombie does not) and whose command line has this text in it. */
export function processesWith(text: string): number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && pid !== process.pid)
		.filter((pid) => isRunning(pid) && read(`/proc/${pid}/cmdline`).includes(text));
}

/** Processes of a group that run. */
export function processesInGroup(pgid: number): number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && isRunning(pid) && groupOf(pid) === pgid);
}

export function isRunning(pid: number): boolean {
	const [state] = statFields(pid);
	return state !== undefined && state !== "Z" && state !== "X";
}

function groupOf(pid: number): number {
	return Number(statFields(pid)[2]);
}

/** The fields of `stat` after the name in parentheses: state, parent, group, … */
function statFields(pid: number): string[] {
	const stat = read(`/proc/${pid}/stat`);
	return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function read(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
