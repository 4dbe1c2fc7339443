/**
 * One object as one line, with its newline. Any text survives: JSON escapes line ends, and lone
 * surrogates too, so the line is valid UTF-8 however it is sent. Throws a TypeError for a value
 * that JSON does not write as an object, because a reader would skip that line.
 */
export function encodeNdjson(value: object): string {
	const json = JSON.stringify(value) as string | undefined;
	if (json === undefined || !json.startsWith("{")) {
		throw new TypeError(`An NDJSON line must be a JSON object, got ${json?.slice(0, 40)}`);
	}
	return `${json}\n`;
}
