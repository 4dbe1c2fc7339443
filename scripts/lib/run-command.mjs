import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { root } from "./workspace.mjs";

/**
 * Runs a command at the root of the repository and resolves when it has ended, whatever its exit
 * code. Its output is collected, or goes straight to the terminal with `show`. With `background` it
 * and all that it starts take what others leave of the machine.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, show?: boolean, background?: boolean }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function runCommand(command, args, { env, show = false, background = false } = {}) {
	return new Promise((resolve) => {
		const child = spawn(command, args, {
			cwd: root,
			env: { ...process.env, ...env },
			stdio: show ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
		});
		if (background && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
		/** @type {Buffer[]} */
		const chunks = [];
		child.stdout?.on("data", (chunk) => chunks.push(chunk));
		child.stderr?.on("data", (chunk) => chunks.push(chunk));
		child.once("error", (error) =>
			resolve({ ok: false, output: `${command}: ${error.message}\n` }),
		);
		child.once("close", (code) => {
			resolve({ ok: code === 0, output: Buffer.concat(chunks).toString("utf8") });
		});
	});
}
