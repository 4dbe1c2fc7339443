import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { waitFor } from "@baton/testkit";
import { CLI, cleanEnv } from "./baton";

/** A person at `baton chat`: types, and sees what is on the screen. */
export class Typist {
	readonly #child: ChildProcess;
	readonly exited: Promise<number | null>;
	#screen = "";

	/** `terminal`: at a real pseudo-terminal, by `script`; otherwise through pipes. */
	constructor(home: string, env: Record<string, string>, args: string[], terminal: boolean) {
		const command = [process.execPath, CLI, "chat", ...args];
		const options = { env: { ...cleanEnv(), HOME: home, ...env, TERM: "xterm" } };
		this.#child = terminal
			? spawn("script", ["-qefc", command.join(" "), "/dev/null"], options)
			: spawn(command[0]!, command.slice(1), options);
		for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
			stream.setEncoding("utf8").on("data", (text: string) => {
				this.#screen += text;
			});
		}
		this.exited = new Promise((resolve) => this.#child.once("close", (code) => resolve(code)));
	}

	/** Everything that was shown, without colours. */
	get screen(): string {
		return stripVTControlCharacters(this.#screen).replaceAll("\r", "");
	}

	type(text: string): void {
		this.#child.stdin!.write(text);
	}

	/** The end of the input: Ctrl-D, or the end of a pipe. */
	end(): void {
		this.#child.stdin!.end();
	}

	async sees(text: string | RegExp): Promise<void> {
		await waitFor(
			() => (typeof text === "string" ? this.screen.includes(text) : text.test(this.screen)),
			{ timeoutMs: 20_000, what: `${text} on the screen` },
		).catch((error: Error) => {
			throw new Error(`${error.message}\n${this.screen}`);
		});
	}

	async stop(): Promise<void> {
		this.#child.kill("SIGKILL");
		await this.exited;
	}
}
