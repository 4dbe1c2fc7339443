import { isUtf8 } from "node:buffer";
import { appendFile, readFile } from "node:fs/promises";
import { orNull } from "./file-errors";
import type { BadLine } from "./log-lines";
import type { ReportProblem } from "./problem";

/** Keeps the text of damaged lines, each once, in a file beside the log. Nothing reads it but people. */
export class SetAside {
	readonly #path: string;
	readonly #log: string;
	readonly #report: ReportProblem;
	/** Numbers of the bad lines that the file holds; read when the first one is met. */
	#known: Promise<Set<number>> | null = null;

	constructor(path: string, log: string, report: ReportProblem) {
		this.#path = path;
		this.#log = log;
		this.#report = report;
	}

	/** The end of a log, before it is cut off. Rejects when it cannot be kept. */
	async keepEnd(line: BadLine): Promise<void> {
		await this.#write([line]);
	}

	/** Lines that stay where they are. A reader is not held up when they cannot be copied. */
	async keepLines(lines: readonly BadLine[]): Promise<void> {
		this.#known ??= readKnown(this.#path).catch(() => new Set());
		const known = await this.#known;
		const fresh = lines.filter(({ seq }) => !known.has(seq));
		for (const { seq } of fresh) known.add(seq);
		if (fresh.length > 0) await this.#write(fresh).catch(() => {});
	}

	async #write(lines: readonly BadLine[]): Promise<void> {
		try {
			await appendFile(this.#path, lines.map(encode).join(""), { mode: 0o600 });
		} finally {
			for (const { seq, reason, bytes } of lines) {
				const detail = `${WHAT[reason]} at event ${seq} (${bytes.length} bytes), set aside in ${this.#path}`;
				this.#report({ kind: reason, path: this.#log, detail });
			}
		}
	}
}

const WHAT: Record<BadLine["reason"], string> = {
	"bad-line": "A line that is not JSON",
	"torn-line": "A torn last line",
	"incomplete-batch": "A batch that was not written whole",
};

function encode({ seq, reason, bytes }: BadLine): string {
	const content = isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString("base64") };
	return `${JSON.stringify({ seq, reason, ...content })}\n`;
}

async function readKnown(path: string): Promise<Set<number>> {
	const known = new Set<number>();
	for (const line of ((await orNull(readFile(path, "utf8"))) ?? "").split("\n")) {
		const match = /^\{"seq":(\d+),"reason":"bad-line"/.exec(line);
		if (match) known.add(Number(match[1]));
	}
	return known;
}
