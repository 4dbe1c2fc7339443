import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { AgentFailure } from "../agent";
import { killMarked } from "./marked-processes";
import { waitForGroup } from "./process-group";
import { identifyProcess, type ProcessIdentity } from "./process-identity";
import { WATCHDOG_SCRIPT } from "./watchdog-script";

interface ProcessStart {
	/** The program's path, and its arguments. */
	readonly command: readonly [string, ...string[]];
	/** Everything the process gets to know; nothing is inherited. */
	readonly env: Readonly<Record<string, string>>;
	readonly cwd: string;
	/** Written to its standard input, which is then closed. */
	readonly input: string;
}

/** How long the group has to end by itself after SIGTERM. With the rest it stays under two seconds. */
const GRACE_MS = 1_000;

const KILLED = 137;

/**
 * A command-line agent under its watchdog, in a process group of its own. The group is gone when
 * `exited` resolves, and with it every process that carries the run's mark.
 */
export class SupervisedProcess {
	readonly identity: ProcessIdentity | null;
	/** The agent's exit code, once all its output has been read. 128 + n: it died by signal n. */
	readonly exited: Promise<number>;
	readonly #child: ChildProcess;
	#gone = false;
	#stopping: Promise<void> | undefined;

	static async start({ command, env, cwd, input }: ProcessStart): Promise<SupervisedProcess> {
		const mark = randomUUID();
		const child = spawn("/bin/sh", ["-c", WATCHDOG_SCRIPT, "baton-watchdog", mark, ...command], {
			cwd,
			env,
			detached: true,
			stdio: ["pipe", "pipe", "pipe", "pipe"],
		});
		// Listened for at once: it may be killed from outside at any moment.
		const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
		const close = new Promise<void>((resolve) => child.once("close", () => resolve()));
		try {
			await once(child, "spawn");
			child.on("error", () => {});
		} catch (cause) {
			const message = `Could not start ${command[0]}: ${(cause as Error).message}`;
			throw new AgentFailure("spawn", message, { retryable: true, cause });
		}
		const identity = await identifyProcess(child.pid!, mark);
		return new SupervisedProcess(child, mark, identity, input, { exit, close });
	}

	private constructor(
		child: ChildProcess,
		mark: string,
		identity: ProcessIdentity | null,
		input: string,
		ended: { exit: Promise<void>; close: Promise<void> },
	) {
		this.#child = child;
		this.identity = identity;
		const stdin = child.stdin as Writable;
		// It may end without reading what it was told; its exit code says more than EPIPE.
		stdin.on("error", () => {});
		stdin.end(input);
		this.exited = this.#watch(mark, ended);
	}

	get stdout(): Readable {
		return this.#child.stdout as Readable;
	}

	get stderr(): Readable {
		return this.#child.stderr as Readable;
	}

	get isStopping(): boolean {
		return this.#stopping !== undefined;
	}

	/** Ends the whole group, politely first. Safe to call at any time, and again. */
	stop(): Promise<void> {
		this.#stopping ??= this.#stop();
		return this.#stopping;
	}

	async #stop(): Promise<void> {
		this.#signal("SIGTERM");
		const timer = setTimeout(() => this.#signal("SIGKILL"), GRACE_MS);
		// Unread output would keep the pipes open, and `exited` waiting.
		this.stdout.resume();
		this.stderr.resume();
		await this.exited;
		clearTimeout(timer);
	}

	async #watch(
		mark: string,
		{ exit, close }: { exit: Promise<void>; close: Promise<void> },
	): Promise<number> {
		let code: number | undefined;
		const control = this.#child.stdio[3] as Readable;
		control.on("error", () => {});
		control.on("data", (report: Buffer) => {
			code ??= Number(report.toString("latin1").trim());
			// The agent has ended: now the rest of its group, the watchdog included.
			this.#signal("SIGKILL");
		});
		await exit;
		this.#gone = true;
		await killMarked(mark);
		await waitForGroup(this.#child.pid!);
		await close;
		// Without a report the watchdog itself was killed, by `stop` or from outside.
		return code ?? KILLED;
	}

	/** Only while the leader is not reaped: afterwards the group's id may be someone else's. */
	#signal(name: NodeJS.Signals): void {
		if (this.#gone) return;
		try {
			process.kill(-this.#child.pid!, name);
		} catch {
			// The group is gone already.
		}
	}
}
