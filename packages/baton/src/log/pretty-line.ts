import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const STYLES: Record<string, Style> = {
	warn: "yellow",
	error: "red",
	fatal: "red",
};

/** A line of the log for a person at a terminal: time, what happened, and the details behind it. */
export function prettyLine(line: string): string {
	const { level, time, msg, ...details } = parse(line);
	const clock = styleText("dim", String(time ?? "").slice(11, 19));
	const message = styleText(STYLES[String(level)] ?? "reset", String(msg));
	const shown = Object.entries(details).map(([name, value]) => `${name}=${show(value)}`);
	return `  ${clock}  ${message}  ${styleText("dim", shown.join(" "))}\n`;
}

/** What a scrubbed line lost may have been a part of its form. */
function parse(line: string): Record<string, unknown> {
	try {
		return JSON.parse(line);
	} catch {
		return { msg: line.trimEnd() };
	}
}

/** Of an error its message: who needs the stack reads the JSON. */
function show(value: unknown): string {
	const { message } = (value ?? {}) as { message?: unknown };
	if (typeof message === "string") return message;
	return typeof value === "string" ? value : JSON.stringify(value);
}
