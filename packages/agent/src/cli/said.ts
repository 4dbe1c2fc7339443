import { appendFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const TAIL = 2_000;

/**
 * What the agent said in the current turn, kept beside the CLI's own session. A CLI that is killed
 * in the middle of an answer does not remember the part it had given; whoever resumes it must.
 */
export class Said {
	readonly #path: string;

	constructor(home: string) {
		this.#path = join(home, "said.txt");
	}

	/** Starts a new turn. */
	async clear(): Promise<void> {
		await writeFile(this.#path, "", { mode: 0o600 });
	}

	/** Synchronous, so that it is in the file whenever the process is killed after it. */
	add(text: string): void {
		try {
			appendFileSync(this.#path, text);
		} catch {
			// Kept for a better continuation alone: a full disk must not end the turn.
		}
	}

	/** The end of what was said, empty when nothing was. */
	async tail(): Promise<string> {
		const text = await readFile(this.#path, "utf8").catch(() => "");
		return text.slice(-TAIL);
	}

	/** The turn is over. */
	async remove(): Promise<void> {
		await rm(this.#path, { force: true });
	}
}
