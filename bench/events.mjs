const BYTES = 100;

/** Event number n of a stream of deltas, 100 bytes as JSON. */
export function deltaEvent(n) {
	const event = { type: "message", role: "assistant", delta: true, content: `${n} ` };
	event.content = event.content.padEnd(event.content.length + BYTES - jsonLength(event), "token ");
	return event;
}

/** `count` events in batches, made before the clock starts. */
export function deltaBatches(count, size) {
	return Array.from({ length: count / size }, (_, batch) =>
		Array.from({ length: size }, (_, i) => deltaEvent(batch * size + i + 1)),
	);
}

function jsonLength(event) {
	return JSON.stringify(event).length;
}
