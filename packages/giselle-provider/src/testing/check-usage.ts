const COUNTS = {
	inputTokens: ["total", "noCache", "cacheRead", "cacheWrite"],
	outputTokens: ["total", "text", "reasoning"],
} as const;

/** Every count is there, as a number or as undefined. Returns what is not. */
export function checkUsage(usage: unknown): string[] {
	const problems: string[] = [];
	for (const [side, names] of Object.entries(COUNTS)) {
		const counts = (usage as Record<string, unknown> | undefined)?.[side];
		if (typeof counts !== "object" || counts === null) {
			problems.push(`usage has no ${side}`);
			continue;
		}
		for (const name of names) {
			const value = (counts as Record<string, unknown>)[name];
			const isCount = value === undefined || (typeof value === "number" && value >= 0);
			if (!(name in counts) || !isCount) problems.push(`usage has no ${side}.${name}`);
		}
	}
	return problems;
}
