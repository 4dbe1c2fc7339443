/** What is quicker than this needs no progress. */
const QUICK_MS = 1_000;
const EVERY_MS = 100;

/** A line at the terminal that says how far a command is, once it takes longer than a second. */
export class Progress {
	readonly #stream: NodeJS.WriteStream;
	readonly #begun = performance.now();
	#saidAt = 0;
	#isShown = false;

	constructor(stream: NodeJS.WriteStream = process.stderr) {
		this.#stream = stream;
	}

	say(text: string): void {
		const now = performance.now();
		if (!this.#stream.isTTY || now - this.#begun < QUICK_MS || now - this.#saidAt < EVERY_MS)
			return;
		this.#saidAt = now;
		this.#isShown = true;
		this.#stream.write(`\r\x1b[K  … ${text}`);
	}

	/** Takes the line away. */
	done(): void {
		if (this.#isShown) this.#stream.write("\r\x1b[K");
		this.#isShown = false;
	}
}

/** Says what is waited for, should it take longer than a second. */
export async function whileWaiting<T>(text: string, work: Promise<T>): Promise<T> {
	const progress = new Progress();
	const timer = setInterval(() => progress.say(text), EVERY_MS);
	try {
		return await work;
	} finally {
		clearInterval(timer);
		progress.done();
	}
}
