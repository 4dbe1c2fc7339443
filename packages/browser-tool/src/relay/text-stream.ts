/** Where the text of a stream comes from, for a server that can write text as it is. */
interface TextSource {
	next(): Promise<IteratorResult<string, void>>;
	/** Nobody reads any more. */
	cancel(): Promise<void>;
}

const sources = new WeakMap<ReadableStream, TextSource>();

/**
 * A response body that takes the next piece when the client has read the last one, so a client that
 * does not read holds one piece and no more. `stop` is called when the client is gone.
 */
export function textStream(
	pieces: AsyncGenerator<string, void, undefined>,
	stop: () => void,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	const source: TextSource = {
		next: () => pieces.next(),
		async cancel() {
			stop();
			await pieces.return();
		},
	};
	const stream = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const { done, value } = await source.next();
				if (done) controller.close();
				else controller.enqueue(encoder.encode(value));
			},
			cancel: source.cancel,
		},
		// Nothing is taken before someone asks: it may be asked of the source.
		{ highWaterMark: 0 },
	);
	sources.set(stream, source);
	return stream;
}

/**
 * The source of a `textStream`, for whoever reads that instead of the stream: a stream of the web takes
 * longer to pass a piece on than the rest of a server.
 */
export function sourceOf(stream: ReadableStream): TextSource | undefined {
	return stream.locked ? undefined : sources.get(stream);
}
