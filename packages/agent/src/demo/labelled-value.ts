/** Words around a label that say nothing: "Your first name *" is about "first name". */
const FILLERS = /\b(?:your|the|a|an|please|enter|select|choose|optional|required)\b|[*:?()]/gi;

/**
 * What the message says for a label, as in "team: blue", "my team is blue", "set team to blue"; up
 * to a comma, a semicolon, the end of a line or sentence, or the next "and my …".
 */
export function findLabelled(message: string, label: string): string | null {
	const words = label.replace(FILLERS, " ").trim().split(/\s+/).filter(Boolean);
	if (words.length === 0) return null;
	const name = words.map(escapeRegExp).join(String.raw`[\s_-]+`);
	const value = String.raw`(?:"([^"]+)"|“([^”]+)”|((?:[^\n,;]|(?<=\d),(?=\d{3}))+?))(?=\s*(?:,(?!\d{3})|[;\n]|\.\s|[.!]?$| and (?:my|the|set|submit|send|then)\b| then\b))`;
	const found = new RegExp(
		String.raw`\b${name}(?:\s*[:=]\s*| (?:is|are|should be|to|as) )${value}`,
		"iu",
	).exec(message);
	return found ? (found[1] ?? found[2] ?? found[3] ?? "").trim() || null : null;
}

export function escapeRegExp(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
