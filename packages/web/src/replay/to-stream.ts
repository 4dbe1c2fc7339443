/** A generator as a stream: one value at a time, as the reader wants them. `gone` tells its source. */
export function toStream<T>(
	values: AsyncGenerator<T, void, undefined>,
	gone: AbortController,
): ReadableStream<T> {
	return new ReadableStream<T>({
		async pull(controller) {
			const { done, value } = await values.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			gone.abort();
			await values.return();
		},
	});
}
