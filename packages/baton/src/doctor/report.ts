import { styleText } from "node:util";
import type { Check } from "./check";

const MARKS = {
	ok: { sign: "✓", style: "green" },
	idle: { sign: "–", style: "dim" },
	warn: { sign: "!", style: "yellow" },
	fail: { sign: "✗", style: "red" },
} as const;

/** The checks for a person to read. */
export function report(checks: readonly Check[], colours: boolean): string {
	const width = Math.max(...checks.map(({ name }) => name.length));
	const lines = checks.map(({ name, status, detail }) => {
		const { sign, style } = MARKS[status];
		return `  ${colours ? styleText(style, sign) : sign} ${name.padEnd(width)}  ${detail}`;
	});
	const failed = checks.filter(({ status }) => status === "fail").length;
	const verdict =
		failed === 0
			? "Everything that is configured works."
			: `${failed === 1 ? "One thing does" : `${failed} things do`} not work.`;
	return `\n${lines.join("\n")}\n\n  ${verdict}\n\n`;
}
