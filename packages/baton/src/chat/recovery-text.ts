/** What becomes of an answer whose process was lost. `retry`: what was said of it was taken back. */
export function recoveryText(policy: unknown): string {
	return policy === "retry" ? "the answer begins again" : "the answer goes on";
}
