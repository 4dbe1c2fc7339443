type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * A reader that is connected when it is first read from. A connection that cannot be made is a stream
 * that breaks before its first byte.
 */
export function lazyReader(connect: () => Promise<Reader>): Reader {
	let cancelled = false;
	const source: UnderlyingDefaultSource<Uint8Array> & { reader?: Reader } = {
		async pull(controller) {
			source.reader ??= await connect();
			if (cancelled) return void source.reader.cancel().catch(() => {});
			const { done, value } = await source.reader.read();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel(reason) {
			cancelled = true;
			await source.reader?.cancel(reason);
		},
	};
	return new ReadableStream(source, { highWaterMark: 0 }).getReader();
}
