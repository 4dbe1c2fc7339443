import { createInterface } from "node:readline";
import { type Exit, exitOf, spawnChild } from "./child";
import { LineLog } from "./line-log";

/** A script's path, or ES module code whose bare imports resolve from `cwd`. */
export type NodeSource = string | { code: string; cwd: string };

export interface SpawnNodeOptions {
	args?: string[];
	/** Added to this process's environment. */
	env?: NodeJS.ProcessEnv;
}

export interface NodeProcess {
	readonly pid: number;
	/** Every line of standard output, from the first, until the process has ended. */
	readonly lines: AsyncIterable<string>;
	/** Everything written to standard error so far. */
	readonly stderr: string;
	/** Resolves when the process has ended and its output has been read to the end. */
	readonly exited: Promise<Exit>;
	/**
	 * The first matching line after the one that the last call found (a text matches the lines that
	 * start with it). Rejects when the process ends without it, or after `timeoutMs` (10,000).
	 */
	waitForLine(match: string | ((line: string) => boolean), timeoutMs?: number): Promise<string>;
	/** Sends a signal, SIGKILL by default. */
	kill(signal?: NodeJS.Signals): void;
	/** Ends the process, even a stopped one, and waits for it. */
	stop(): Promise<void>;
}

/** Starts a `node` process that a test can listen to and kill. */
export function spawnNode(
	source: NodeSource,
	{ args = [], env }: SpawnNodeOptions = {},
): NodeProcess {
	const script = typeof source === "string";
	const child = spawnChild(
		process.execPath,
		script ? [source, ...args] : ["--input-type=module", "--eval", source.code, "--", ...args],
		{
			cwd: script ? undefined : source.cwd,
			env: { ...process.env, ...env },
			stdio: ["ignore", "pipe", "pipe"],
		},
	);
	const exited = exitOf(child);
	const output = new LineLog();
	let stderr = "";
	createInterface({ input: child.stdout! }).on("line", (line) => output.push(line));
	child.stderr!.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	exited.then(
		() => output.end(),
		() => output.end(),
	);

	let searched = 0;
	return {
		pid: child.pid!,
		lines: output,
		exited,
		get stderr() {
			return stderr;
		},
		async waitForLine(match, timeoutMs = 10_000) {
			const matches = typeof match === "string" ? (line: string) => line.startsWith(match) : match;
			const deadline = AbortSignal.timeout(timeoutMs);
			for await (const line of output.from(searched, deadline)) {
				searched++;
				if (matches(line)) return line;
			}
			const outcome = deadline.aborted
				? `did not come in ${timeoutMs} ms`
				: `did not come before the process ended (${JSON.stringify(await exited)})`;
			throw new Error(`The line ${match} ${outcome}. Standard error:\n${stderr}`);
		},
		kill(signal = "SIGKILL") {
			child.kill(signal);
		},
		async stop() {
			child.kill("SIGKILL");
			await exited;
		},
	};
}
