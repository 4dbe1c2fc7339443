import type { Recent, Wake } from "../driver";

const LINES = 256;
const CHARACTERS = 64 * 1024;
/** Older than this, a log may have been trimmed or be gone without a word. */
const FRESH_MS = 500;

/**
 * What was just appended to a log, without a gap, up to its end as far as this process has heard. A
 * follower that starts in there need not look.
 */
export class RecentLines {
	#first = 0;
	#lines: string[] = [];
	#marks: (string | undefined)[] = [];
	#characters = 0;
	#epoch: string | undefined;
	#at = 0;

	/** `mayBegin`: from this wake-up on, none was missed. */
	put({ pushed, epoch, verify }: Wake, mayBegin: boolean): void {
		if (!pushed || verify) {
			this.clear();
			return;
		}
		const { first, lines, mark } = pushed;
		const next = this.#first + this.#lines.length;
		const continues = this.#lines.length > 0 && epoch === this.#epoch && first === next;
		const isMuch = (continues ? this.#lines.length : 0) + lines.length > LINES;
		if (!continues || isMuch) this.clear();
		if (isMuch || (!continues && !mayBegin)) return;
		if (!continues) this.#first = first;
		for (const line of lines) {
			this.#lines.push(line);
			this.#marks.push(mark);
			this.#characters += line.length;
		}
		this.#epoch = epoch;
		this.#at = performance.now();
		if (this.#characters > CHARACTERS) this.clear();
	}

	after(cursor: number): Recent | null {
		const known = cursor + 1 - this.#first;
		const isKnown = this.#lines.length > 0 && known >= 0 && known <= this.#lines.length;
		if (!isKnown || performance.now() - this.#at > FRESH_MS) return null;
		return {
			lines: this.#lines.slice(known),
			marks: this.#marks.slice(known),
			epoch: this.#epoch,
		};
	}

	clear(): void {
		this.#lines = [];
		this.#marks = [];
		this.#characters = 0;
	}
}
