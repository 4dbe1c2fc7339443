import type { Json } from "./json";

/**
 * One stored event. `json` is its exact text, so that a door can pass it on without parsing it;
 * `event` parses it on first use. An entry belongs to whoever read it.
 */
export class LogEntry {
	readonly seq: number;
	readonly json: string;
	#event: Json | undefined;

	/** `event` is the value of `json`, from a driver that had to parse it anyway. */
	constructor(seq: number, json: string, event?: Json) {
		this.seq = seq;
		this.json = json;
		this.#event = event;
	}

	get event(): Json {
		if (this.#event === undefined) this.#event = JSON.parse(this.json) as Json;
		return this.#event;
	}
}
