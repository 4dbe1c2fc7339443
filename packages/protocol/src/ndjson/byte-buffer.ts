const INITIAL_CAPACITY = 1024;
/** Larger than this is given back after use, so that one long line does not stay in memory. */
const KEPT_CAPACITY = 64 * 1024;

/** Bytes that wait for the rest of their line. Capacity doubles, so appending is linear in total. */
export class ByteBuffer {
	#bytes: Uint8Array | null = null;
	#length = 0;

	get length(): number {
		return this.#length;
	}

	append(bytes: Uint8Array): void {
		const length = this.#length + bytes.length;
		let target = this.#bytes;
		if (target === null || target.length < length) {
			target = new Uint8Array(Math.max(length, (target?.length ?? 0) * 2, INITIAL_CAPACITY));
			if (this.#bytes !== null) target.set(this.#bytes.subarray(0, this.#length));
			this.#bytes = target;
		}
		target.set(bytes, this.#length);
		this.#length = length;
	}

	/** A view of what is held, valid until the next append. */
	view(): Uint8Array {
		return this.#bytes === null ? new Uint8Array(0) : this.#bytes.subarray(0, this.#length);
	}

	clear(): void {
		this.#length = 0;
		if (this.#bytes !== null && this.#bytes.length > KEPT_CAPACITY) this.#bytes = null;
	}
}
