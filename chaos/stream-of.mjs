import { setTimeout as sleep } from "node:timers/promises";

/** A connection that says nothing for so long, not even a heartbeat, is given up. */
const SILENCE_MS = 20_000;

/**
 * The pieces of an answer, until it ends or breaks. A server that cannot answer gives none: the
 * caller comes back. `onStatus` hears how it was answered.
 */
export async function* piecesOf(url, init, signal, onStatus = () => {}) {
	const silence = new AbortController();
	const timer = setTimeout(() => silence.abort(), SILENCE_MS);
	try {
		const response = await fetch(url, {
			...init,
			signal: AbortSignal.any([signal, silence.signal]),
		});
		onStatus(response.status);
		if (!response.ok || !response.body) {
			await response.arrayBuffer();
			return;
		}
		for await (const piece of response.body) {
			timer.refresh();
			yield piece;
		}
	} catch {
		// Cut, refused or silent.
	} finally {
		clearTimeout(timer);
		silence.abort();
	}
}

/** The JSON of each event of a stream of server-sent events. */
export async function* eventsOf(pieces) {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const piece of pieces) {
		const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) if (line.startsWith("data: {")) yield JSON.parse(line.slice(6));
	}
}

/** What a server answers as JSON; asked again until one does. */
export async function answerOf(request, signal) {
	while (!signal.aborted) {
		const { url, ...init } = request();
		try {
			const response = await fetch(url, {
				...init,
				signal: AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]),
			});
			if (response.ok) return await response.json();
			await response.arrayBuffer();
		} catch {
			// Cut, refused or silent.
		}
		await sleep(100);
	}
	return null;
}
