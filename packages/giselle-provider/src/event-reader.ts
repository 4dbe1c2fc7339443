import type { CloudApiEvent } from "./cloud-api-event";
import { JsonObjectScanner } from "./json-object-scanner";

type Read = ReadableStreamReadResult<Uint8Array>;

/** What a paused connection carries of its reading: nothing that was read is lost. */
export type LiveEvents = EventReader;

/** Why there are no events: the stream is over, or nothing came in time. */
export type NoEvents = "ended" | "silent";

/**
 * Reads events from the bytes of an answer. It owns the decoder and the scanner, and a read that is
 * under way: all of it lives on in a paused connection.
 */
export class EventReader {
	readonly reader: ReadableStreamDefaultReader<Uint8Array>;
	readonly #decoder = new TextDecoder();
	readonly #scanner = new JsonObjectScanner();
	#ahead: CloudApiEvent[] = [];
	#reading: Promise<Read> | null = null;
	/** Since when a read waits for bytes, by `Date.now`. Nobody reads: null. */
	waitingSince: number | null = null;

	constructor(reader: ReadableStreamDefaultReader<Uint8Array>, buffer = "") {
		this.reader = reader;
		if (buffer !== "") this.#ahead = this.#scan(buffer);
	}

	/** Text that is not a whole event yet. */
	get buffer(): string {
		return this.#scanner.rest;
	}

	/** Whether the input ended inside an event. */
	get isCut(): boolean {
		return this.#scanner.isCut;
	}

	/** Lines that were no events. */
	get junk(): number {
		return this.#scanner.junk;
	}

	/** Puts events back that were read and not handled; they come first next time. */
	unread(events: CloudApiEvent[]): void {
		this.#ahead = [...events, ...this.#ahead];
	}

	/** The next events, at least one; rejects when the reader does. */
	async next(): Promise<CloudApiEvent[] | "ended"> {
		if (this.#ahead.length > 0) return this.#takeAhead();
		for (;;) {
			const events = this.#accept(await this.#read());
			if (events === "ended" || events.length > 0) return events;
		}
	}

	/** The same, within a time. The read that was begun goes on and is not lost. */
	async nextWithin(ms: number): Promise<CloudApiEvent[] | NoEvents> {
		if (this.#ahead.length > 0) return this.#takeAhead();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise<"silent">((resolve) => {
			timer = setTimeout(resolve, ms, "silent");
		});
		try {
			for (;;) {
				const read = await Promise.race([this.#read(), late]);
				if (read === "silent") return read;
				const events = this.#accept(read);
				if (events === "ended" || events.length > 0) return events;
			}
		} finally {
			clearTimeout(timer);
		}
	}

	/** Resolves when `next` has something to say without waiting; takes nothing. */
	async ready(): Promise<void> {
		if (this.#ahead.length === 0) await this.#read();
	}

	/** The read under way, or a new one. */
	#read(): Promise<Read> {
		if (this.#reading === null) {
			this.#reading = this.reader.read();
			this.waitingSince = Date.now();
			// A paused connection may fail with nobody waiting; whoever reads next learns of it.
			this.#reading.catch(() => {});
		}
		return this.#reading;
	}

	#accept(read: Read): CloudApiEvent[] | "ended" {
		this.#reading = null;
		this.waitingSince = null;
		if (read.done) {
			const rest = this.#scan(this.#decoder.decode());
			return rest.length > 0 ? rest : "ended";
		}
		return this.#scan(this.#decoder.decode(read.value, { stream: true }));
	}

	#scan(text: string): CloudApiEvent[] {
		const found = this.#scanner.push(text);
		const events: CloudApiEvent[] = new Array(found.length);
		for (let index = 0; index < found.length; index++) events[index] = found[index]!.value;
		return events;
	}

	#takeAhead(): CloudApiEvent[] {
		const events = this.#ahead;
		this.#ahead = [];
		return events;
	}
}
