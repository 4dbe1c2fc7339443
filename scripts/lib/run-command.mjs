import { spawn } from "node:child_process";
import { root } from "./workspace.mjs";

/**
 * Runs a command at the root of the repository and resolves when it has ended, whatever its exit
 * code. Its output is collected, or goes straight to the terminal with `show`.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, show?: boolean }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function runCommand(command, args, { env, show = false } = {}) {
	return new Promise((resolve) => {
		const child = spawn(command, args, {
			cwd: root,
			env: { ...process.env, ...env },
			stdio: show ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
		});
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
