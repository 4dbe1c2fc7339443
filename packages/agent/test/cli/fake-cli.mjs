#!/usr/bin/env node
// A command-line agent for tests. FAKE_CLI is a list of steps: print a line, a file, an error; wait; spawn; exit.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const input = readFileSync(0, "utf8");
for (const step of JSON.parse(process.env.FAKE_CLI)) {
	if ("line" in step) process.stdout.write(`${JSON.stringify(step.line)}\n`);
	if ("raw" in step) process.stdout.write(step.raw);
	if ("file" in step) process.stdout.write(readFileSync(step.file));
	if ("stderr" in step) process.stderr.write(`${step.stderr}\n`);
	if ("flood" in step) process.stdout.write("x".repeat(step.flood));
	if ("record" in step) {
		const { env, argv } = process;
		writeFileSync(
			step.record,
			JSON.stringify({ input, env, args: argv.slice(2), cwd: process.cwd() }),
		);
	}
	// A child that leaves the group and outlives whoever started it.
	if ("escape" in step) spawn("sleep", [step.escape], { detached: true, stdio: "ignore" }).unref();
	// Deaf to SIGTERM.
	if ("deaf" in step) process.on("SIGTERM", () => {});
	// Needs a moment to save its work when it is told to stop.
	if ("save" in step) {
		process.on("SIGTERM", () => {
			setTimeout(() => {
				writeFileSync(step.save, "saved");
				process.exit(0);
			}, 200);
		});
	}
	if ("wait" in step) await sleep(step.wait);
	if ("exit" in step) process.exit(step.exit);
}
