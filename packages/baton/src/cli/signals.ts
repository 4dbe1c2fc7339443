import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log/log";
import { EXIT } from "./exit-codes";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first signal to stop. The second one ends the process where it stands. */
export function waitForSignal(): Promise<NodeJS.Signals> {
	return new Promise((resolve) => {
		let stopping = false;
		for (const signal of SIGNALS) {
			process.on(signal, () => {
				if (stopping) process.exit(128 + constants.signals[signal]);
				stopping = true;
				resolve(signal);
			});
		}
	});
}

/**
 * A mistake that nobody caught: the state of this process cannot be trusted any more. It is written
 * down, what can be released is released so that others need not wait, and the process ends.
 */
export function exitOnCrash(log: Log, withinMs: number, release: () => Promise<void>): void {
	let crashed = false;
	const crash = (error: unknown) => {
		if (crashed) return;
		crashed = true;
		log.fatal({ error }, "Baton failed and ends. Turns that were running go on at the next start.");
		const released = release().catch(() => {});
		void Promise.race([released, sleep(withinMs)]).then(() => process.exit(EXIT.failed));
	};
	process.on("uncaughtException", crash);
	process.on("unhandledRejection", crash);
	// Whoever read our output is gone; that is no reason to stop serving.
	for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
