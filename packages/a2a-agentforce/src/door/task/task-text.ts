/** More text than this of one run is left out of a task's snapshot; a stream carries all of it. */
const MAX_SNAPSHOT_TEXT = 1_000_000;

/** What the assistant said in one run, for snapshots. */
export class TaskText {
	#pieces: string[] = [];
	#length = 0;
	#cut = false;

	get isEmpty(): boolean {
		return this.#length === 0;
	}

	add(piece: string): void {
		const room = MAX_SNAPSHOT_TEXT - this.#length;
		if (piece.length > room) this.#cut = true;
		const kept = piece.slice(0, Math.max(room, 0));
		if (kept !== "") this.#pieces.push(kept);
		this.#length += kept.length;
	}

	clear(): void {
		this.#pieces = [];
		this.#length = 0;
		this.#cut = false;
	}

	toString(): string {
		return this.#pieces.join("") + (this.#cut ? "\n\n… (cut: subscribe for all of it)" : "");
	}
}
