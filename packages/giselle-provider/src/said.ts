/** Longer texts are not remembered; if one is withdrawn, it is said anew in a block of its own. */
const MAX_REMEMBERED = 1024 * 1024;
const GROUP = 512;

/** How a text relates to what was shown before its attempt was withdrawn. */
type Fresh =
	| { kind: "repeat" } // shown already
	| { kind: "text"; text: string } // goes on after what is shown
	| { kind: "other"; text: string }; // differs: the whole text so far, to be shown in its own block

/**
 * What the assistant has said in this turn. A recovered agent may withdraw it (`retract`) and say it
 * again; what was shown cannot be taken back, so the repetition is left out as long as it is one.
 */
export class Said {
	#joined: string | null;
	#pieces: string[] = [];
	/** The text that is being repeated, and how much of it came again. Null: nothing is. */
	#expected: string | null = null;
	#matched = 0;

	/** `repeated`: how much of it came again before the last pause, if it was being said again. */
	constructor(before = "", repeated?: number) {
		this.#joined = before;
		if (repeated === undefined || repeated >= before.length) return;
		this.#expected = before;
		this.#matched = repeated;
	}

	/** For the next leg, should this one pause in the middle of a repetition. */
	get repeated(): number | undefined {
		return this.#expected === null ? undefined : this.#matched;
	}

	get isRepeating(): boolean {
		return this.#expected !== null;
	}

	add(text: string): void {
		if (this.#joined === null) return;
		if (this.#pieces.push(text) < GROUP) return;
		this.#joined += this.#pieces.join("");
		this.#pieces = [];
		if (this.#joined.length > MAX_REMEMBERED) this.#joined = null;
	}

	/** Everything said in this turn is withdrawn, and may come again. */
	retract(): void {
		// A second withdrawal in the middle of a repetition: the same text is expected again.
		this.#expected ??= (this.#joined ?? "") + this.#pieces.join("");
		this.#matched = 0;
		// Nothing known of it: whatever comes is new.
		if (this.#joined === null || this.#expected === "") this.#expected = null;
	}

	/** What is new in the next text. Call only while `isRepeating`. */
	fresh(text: string): Fresh {
		const expected = this.#expected ?? "";
		const left = expected.length - this.#matched;
		const same = text.length <= left ? text : text.slice(0, left);
		if (!expected.startsWith(same, this.#matched)) {
			const whole = expected.slice(0, this.#matched) + text;
			this.#joined = whole;
			this.#pieces = [];
			this.#expected = null;
			return { kind: "other", text: whole };
		}
		this.#matched += same.length;
		if (this.#matched === expected.length) this.#expected = null;
		if (text.length <= left) return { kind: "repeat" };
		const rest = text.slice(left);
		this.add(rest);
		return { kind: "text", text: rest };
	}
}
