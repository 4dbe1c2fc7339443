/** The length of a text in UTF-8 bytes; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
	let bytes = text.length;
	for (let i = 0; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		if (unit < 0x80) continue;
		bytes += unit < 0x800 ? 1 : 2;
		if (unit >= 0xd800 && unit < 0xdc00) {
			const next = text.charCodeAt(i + 1);
			// A pair is four bytes: its two units were counted by `text.length`, two more by `bytes`.
			if (next >= 0xdc00 && next < 0xe000) i++;
		}
	}
	return bytes;
}
