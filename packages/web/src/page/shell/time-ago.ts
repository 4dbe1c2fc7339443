const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
	["day", 24 * 60 * 60_000],
	["hour", 60 * 60_000],
	["minute", 60_000],
];

/** "5 minutes ago", for people. */
export function timeAgo(time: number, now: number): string {
	const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
	for (const [unit, ms] of UNITS) {
		const count = Math.floor((now - time) / ms);
		if (count > 0) return format.format(-count, unit);
	}
	return "just now";
}
