import type { Line } from "../agent-api/line";

/** Words that follow each other as one: a replay need not take as many steps as the first telling. */
export function joinDeltas(events: readonly Line[]): Line[] {
	const joined: Line[] = [];
	let pieces: string[] = [];
	for (const event of events) {
		const before = joined.at(-1);
		if (isDelta(event) && before && isDelta(before)) {
			pieces.push(event.content);
			continue;
		}
		finish();
		joined.push(event);
		if (isDelta(event)) pieces = [event.content];
	}
	finish();
	return joined;

	function finish(): void {
		const last = joined.at(-1);
		if (pieces.length > 1 && last)
			joined[joined.length - 1] = { ...last, content: pieces.join("") };
		pieces = [];
	}
}

function isDelta(line: Line): line is Line & { content: string } {
	const { type, role, delta, content } = line;
	return (
		type === "message" && role === "assistant" && delta === true && typeof content === "string"
	);
}
