import { spawnSync } from "node:child_process";
import { tempDir } from "@baton/testkit";
import { onTestFinished } from "vitest";

/** Whether this process may mount; with CI=true it must be able to. */
export function canMount(): boolean {
	const able = process.platform === "linux" && process.getuid?.() === 0 && tryMount();
	if (!able && process.env.CI === "true") {
		throw new Error("Mounting a tmpfs needs root on Linux. With CI=true these tests must run.");
	}
	return able;
}

/** A file system of its own, small where a size is given, gone after the test. */
export async function mountTmpfs(options = "size=1m"): Promise<string> {
	const { path, remove } = await tempDir("baton-tmpfs");
	run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path);
	onTestFinished(async () => {
		run("umount", "--lazy", path);
		await remove();
	});
	return path;
}

export function remount(path: string, options: "ro" | "rw"): void {
	run("mount", "-o", `remount,${options}`, path);
}

function run(command: string, ...args: string[]): void {
	const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
	if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

function tryMount(): boolean {
	const { status } = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
	return status === 0;
}
