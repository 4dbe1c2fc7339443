import type { ActionResult, ExecutionReport } from "../types";

/** The counts and warnings that every agent reads, from what became of each action. */
export function reportOf(
	results: readonly { result: ActionResult; label: string }[],
): ExecutionReport {
	const applied = results.filter(({ result }) => result.status === "applied").length;
	const warnings = results
		.filter(({ result }) => result.message !== undefined)
		.map(({ result, label }) => `${label || result.fieldId || "?"}: ${result.message}`);
	return {
		applied,
		skipped: results.length - applied,
		warnings,
		results: results.map(({ result }) => result),
	};
}
