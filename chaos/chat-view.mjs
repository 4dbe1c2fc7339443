import { differingWords } from "./text-view.mjs";

/** What a client of the gateway holds of a conversation: the text of each run, and which have ended. */
export class ChatView {
	#cursor = 0;
	#texts = new Map();
	#ended = new Set();
	#seen = new Set();
	/** It is compared by the text of a run, not event by event. */
	comparesText = true;
	repeated = 0;
	outOfOrder = 0;

	take({ event, data }) {
		const { seq, runId } = data;
		if (event === "chat.reset") {
			this.#cursor = seq;
			this.#texts.clear();
			this.#ended.clear();
			this.#seen.clear();
			return;
		}
		if (seq === undefined) return;
		if (this.#seen.has(seq)) this.repeated++;
		else if (seq <= this.#cursor) this.outOfOrder++;
		this.#seen.add(seq);
		this.#cursor = Math.max(this.#cursor, seq);
		if (event === "chat.delta") this.#texts.set(runId, (this.#texts.get(runId) ?? "") + data.text);
		if (event === "chat.retract") this.#texts.delete(runId);
		if (event === "chat.final" || event === "chat.error") this.#ended.add(runId);
	}

	hasEnded(runId) {
		return this.#ended.has(runId);
	}

	/** Words that it does not have where they belong, or has although nobody said them. */
	missing(text, runId) {
		return differingWords(text, this.#texts.get(runId) ?? "");
	}
}
