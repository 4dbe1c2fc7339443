/**
 * A response body that takes the next piece when the client has read the last one, so a client that
 * does not read holds one piece and no more. `stop` is called when the client is gone.
 */
export function textStream(
	pieces: AsyncGenerator<string, void, undefined>,
	stop: () => void,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await pieces.next();
			if (done) controller.close();
			else controller.enqueue(encoder.encode(value));
		},
		async cancel() {
			stop();
			await pieces.return();
		},
	});
}
