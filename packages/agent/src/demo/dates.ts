/** A date as a person says it: often without a year, or without a day. */
export interface SpokenDate {
	/** The words it was said in. */
	words: string;
	month: number;
	year?: number;
	day?: number;
}

const MONTHS = [
	"january",
	"february",
	"march",
	"april",
	"may",
	"june",
	"july",
	"august",
	"september",
	"october",
	"november",
	"december",
];
const NAME = `(${MONTHS.map((month) => `${month}|${month.slice(0, 3)}`).join("|")})`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`(\d{4})`;

const PATTERNS: [RegExp, (parts: (string | undefined)[]) => Omit<SpokenDate, "words">][] = [
	[
		/\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/,
		([year, month, day]) => ({ ...date(month, day), year: Number(year) }),
	],
	[
		new RegExp(String.raw`\b${DAY}\.? (?:of )?${NAME}\b\.?,? ?${YEAR}?`, "i"),
		([day, month, year]) => named(month, day, year),
	],
	[
		new RegExp(String.raw`\b${NAME}\b\.? ${DAY}\b(?!\d),? ?${YEAR}?`, "i"),
		([month, day, year]) => named(month, day, year),
	],
	[
		new RegExp(String.raw`\b${NAME}\b\.?,? ${YEAR}\b`, "i"),
		([month, year]) => named(month, undefined, year),
	],
	// "may" and "mar" alone are words: a bare month needs its full name, and "may" a "in" before it.
	[
		new RegExp(String.raw`\b(${MONTHS.filter((month) => month !== "may").join("|")})\b`, "i"),
		([month]) => named(month, undefined, undefined),
	],
	[/\bin (may)\b/i, ([month]) => named(month, undefined, undefined)],
];

/** The first date in a text, or null. */
export function findDate(text: string): SpokenDate | null {
	for (const [pattern, read] of PATTERNS) {
		const found = pattern.exec(text);
		if (!found) continue;
		const spoken = read(found.slice(1));
		if (spoken.month >= 1 && spoken.month <= 12) return { words: found[0].trim(), ...spoken };
	}
	return null;
}

/** `YYYY-MM-DD`. What was not said: the first day, and the next time that the month comes. */
export function toIsoDate(spoken: SpokenDate, now: Date): string {
	const day = String(spoken.day ?? 1).padStart(2, "0");
	return `${toIsoMonth(spoken, now)}-${day}`;
}

/** `YYYY-MM`. */
export function toIsoMonth({ month, year }: SpokenDate, now: Date): string {
	const next = now.getUTCFullYear() + (month - 1 < now.getUTCMonth() ? 1 : 0);
	return `${year ?? next}-${String(month).padStart(2, "0")}`;
}

/** Whether an option of a list names the month. */
export function namesMonth(option: string, { month }: SpokenDate): boolean {
	const name = MONTHS[month - 1]!;
	return new RegExp(`\\b(${name}|${name.slice(0, 3)})\\b`, "i").test(option);
}

function named(
	month: string | undefined,
	day: string | undefined,
	year: string | undefined,
): Omit<SpokenDate, "words"> {
	const number = MONTHS.findIndex((name) => name.startsWith((month ?? "-").toLowerCase())) + 1;
	return { ...date(String(number), day), ...(year && { year: Number(year) }) };
}

function date(month: string | undefined, day: string | undefined): { month: number; day?: number } {
	return { month: Number(month), ...(day && { day: Number(day) }) };
}
