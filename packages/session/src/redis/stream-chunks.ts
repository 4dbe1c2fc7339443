/*
 * A stream's entry costs Redis, the wire and a reader about the same whether it holds one event or
 * many, so the events of one append share entries, and small appends are folded into one entry when
 * there are enough of them. JSON text has no line breaks: a line is an event.
 */

/** Small enough that a reader who wants few events does not fetch many more. */
const CHUNK_LINES = 64;
const CHUNK_CHARACTERS = 64 * 1024;

/** The lines of an append as pairs for the script: how many, and their text. */
export function toChunks(lines: readonly string[]): (string | number)[] {
	const chunks: (string | number)[] = [];
	let start = 0;
	let characters = 0;
	for (let i = 0; i < lines.length; i++) {
		characters += (lines[i] as string).length;
		const full = i - start + 1 === CHUNK_LINES || characters >= CHUNK_CHARACTERS;
		if (!full && i < lines.length - 1) continue;
		chunks.push(i - start + 1, lines.slice(start, i + 1).join("\n"));
		start = i + 1;
		characters = 0;
	}
	return chunks;
}

/**
 * An entry as Redis returns it: `<seq of its last event>-<mark>`, the lines, and, where several
 * appends were folded into one entry, what the ids of theirs were.
 */
export type StreamEntry = [id: string, fields: [e: "e", lines: string, m?: "m", ids?: string]];

export interface StreamChunk {
	/** Seq of the first and of the last event. */
	first: number;
	last: number;
	lines: string[];
	/** The ids of the appends in here, with a space between two. */
	ids: string;
}

export function parseChunk([id, [, text, , ids = id]]: StreamEntry): StreamChunk {
	const last = seqOf(id);
	const lines = text.split("\n");
	return { first: last - lines.length + 1, last, lines, ids };
}

/** The mark of the append that an event came with. */
export function markOf({ ids, last }: StreamChunk, seq: number): string {
	if (seq === last) return ids.slice(ids.lastIndexOf("-") + 1);
	const id = ids.split(" ").find((candidate) => seqOf(candidate) >= seq) as string;
	return id.slice(id.indexOf("-") + 1);
}

function seqOf(id: string): number {
	return Number(id.slice(0, id.indexOf("-")));
}
