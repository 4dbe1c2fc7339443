/** What a client holds that shows text: that of one run, as a door tells it, piece by piece. */
export class TextView {
	/** It is compared by its text, not event by event. */
	comparesText = true;
	repeated = 0;
	outOfOrder = 0;
	text = "";
	ended = false;

	/** Words that it does not have where they belong, or has although nobody said them. */
	missing(text) {
		return differingWords(text, this.text);
	}
}

export function differingWords(said, held) {
	const [a, b] = [said.split(" "), held.split(" ")];
	let differing = 0;
	for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) differing++;
	return differing;
}
