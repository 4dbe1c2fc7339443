import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const STYLES: Record<string, Style> = {
	warn: "yellow",
	error: "red",
	fatal: "red",
};

/** A line of the log for a person at a terminal: time, what happened, and the details behind it. */
export function prettyLine(line: string): string {
	const { level, time, msg, ...details } = JSON.parse(line) as Record<string, unknown>;
	const clock = styleText("dim", String(time).slice(11, 19));
	const message = styleText(STYLES[String(level)] ?? "reset", String(msg));
	const shown = Object.entries(details).map(([name, value]) => `${name}=${show(value)}`);
	return `  ${clock}  ${message}  ${styleText("dim", shown.join(" "))}\n`;
}

/** Of an error its message: who needs the stack reads the JSON. */
function show(value: unknown): string {
	const { message } = (value ?? {}) as { message?: unknown };
	if (typeof message === "string") return message;
	return typeof value === "string" ? value : JSON.stringify(value);
}
