/**
 * Lets a tool start only after its call was told. The model's stream and its tools run on their own;
 * a page must not get a request before the words that explain it.
 */
export class ToolGate {
	readonly #opened = new Map<string, { promise: Promise<void>; open: () => void }>();

	/** Waits until the call was told. */
	wait(toolCallId: string): Promise<void> {
		return this.#entry(toolCallId).promise;
	}

	open(toolCallId: string): void {
		this.#entry(toolCallId).open();
	}

	#entry(toolCallId: string) {
		let entry = this.#opened.get(toolCallId);
		if (!entry) {
			let open = () => {};
			const promise = new Promise<void>((resolve) => {
				open = resolve;
			});
			entry = { promise, open };
			this.#opened.set(toolCallId, entry);
		}
		return entry;
	}
}
