import { delimiter } from "node:path";
import { runCommand } from "./run-command.mjs";
import { bin, inRoot } from "./workspace.mjs";

/**
 * Runs tasks in every package whose inputs changed; the others come from turbo's local cache.
 *
 * @param {string[]} args
 * @param {{ show?: boolean, background?: boolean }} [options]
 */
export function runTurbo(args, options = {}) {
	return runCommand(bin("turbo"), ["run", ...args], {
		...options,
		env: {
			PATH: inRoot("node_modules", ".bin") + delimiter + process.env.PATH, // for its `pnpm`
			TURBO_TELEMETRY_DISABLED: "1",
			TURBO_NO_UPDATE_NOTIFIER: "1",
		},
	});
}
