import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const TAIL = 2_000;

/**
 * What the agent said in the current turn, kept beside the CLI's own session. A CLI that is killed
 * in the middle of an answer does not remember the part it had given; whoever resumes it must.
 */
export class Said {
	readonly #path: string;
	#pending = "";
	#writing: Promise<void> | undefined;

	constructor(home: string) {
		this.#path = join(home, "said.txt");
	}

	/** Starts a new turn. */
	async clear(): Promise<void> {
		await writeFile(this.#path, "", { mode: 0o600 });
	}

	/** Never waits for the disk: pieces that come meanwhile are written together. */
	add(text: string): void {
		this.#pending += text;
		this.#writing ??= this.#write();
	}

	/** The end of what was said, empty when nothing was. */
	async tail(): Promise<string> {
		const text = await readFile(this.#path, "utf8").catch(() => "");
		return text.slice(-TAIL);
	}

	async close(): Promise<void> {
		await this.#writing;
	}

	/** The turn is over. */
	async remove(): Promise<void> {
		await this.#writing;
		await rm(this.#path, { force: true });
	}

	async #write(): Promise<void> {
		// Kept for a better continuation alone: a full disk must not end the turn.
		while (this.#pending !== "") {
			const text = this.#pending;
			this.#pending = "";
			await appendFile(this.#path, text).catch(() => {});
		}
		this.#writing = undefined;
	}
}
