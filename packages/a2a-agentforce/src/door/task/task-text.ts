/** More text than this of one run is left out of a task's snapshot; a stream carries all of it. */
const MAX_SNAPSHOT_TEXT = 1_000_000;
const CUT = "\n\n… (cut: subscribe for all of it)";

/** What the assistant said in one run, for snapshots. */
export class TaskText {
	#pieces: string[] = [];
	#length = 0;
	/** What did not fit of the first piece that did not fit. */
	#cutOff = "";

	get isEmpty(): boolean {
		return this.#length === 0;
	}

	/** Whether something was said that a snapshot does not have. */
	get isCut(): boolean {
		return this.#cutOff !== "";
	}

	/** Where a stream goes on that began with the snapshot, when nothing was said after the cut. */
	get cutOff(): string {
		return this.#cutOff;
	}

	add(piece: string): void {
		if (this.isCut) return;
		const kept = piece.slice(0, MAX_SNAPSHOT_TEXT - this.#length);
		if (kept !== "") this.#pieces.push(kept);
		this.#length += kept.length;
		this.#cutOff = piece.slice(kept.length);
	}

	clear(): void {
		this.#pieces = [];
		this.#length = 0;
		this.#cutOff = "";
	}

	/** `goesOn`: for a reader who gets the rest. */
	toString(goesOn = false): string {
		return this.#pieces.join("") + (this.isCut && !goesOn ? CUT : "");
	}
}
