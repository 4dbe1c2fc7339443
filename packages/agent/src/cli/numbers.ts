/** The value if it is a number, else 0: counts that a CLI left out. */
export function count(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
