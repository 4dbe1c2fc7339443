import type { Json } from "./json";

/**
 * One stored event. `json` is its exact text, so that a door can pass it on without parsing it;
 * `event` parses it on first use. An entry belongs to whoever read it.
 */
export class LogEntry {
	readonly seq: number;
	readonly json: string;
	/** Tells this event from any other that could have had its number, where a driver knows. */
	readonly mark: string | undefined;
	#event: Json | undefined;

	/** `event` is the value of `json`, from a driver that had to parse it anyway. */
	constructor(seq: number, json: string, event?: Json, mark?: string) {
		this.seq = seq;
		this.json = json;
		this.mark = mark;
		this.#event = event;
	}

	get event(): Json {
		if (this.#event === undefined) this.#event = JSON.parse(this.json) as Json;
		return this.#event;
	}
}
