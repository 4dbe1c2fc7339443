import { memo } from "react";
import type { Mark } from "./marks";

const WIDE = 1_000;
const HIGH = 24;

interface MinimapProps {
	marks: readonly Mark[];
	first: number;
	last: number;
	/** Redraws it. */
	version: number;
}

/** The whole log at a glance: its turns, and where one was recovered, waited or stopped. */
export const Minimap = memo(function Minimap({ marks, first, last }: MinimapProps) {
	const paths = pathsOf(marks, first, last);
	return (
		<svg
			className="minimap"
			viewBox={`0 0 ${WIDE} ${HIGH}`}
			preserveAspectRatio="none"
			aria-hidden="true"
		>
			{Object.entries(paths).map(([kind, path]) => (
				<path key={kind} data-kind={kind} d={path} />
			))}
		</svg>
	);
});

/** One path for all marks of a kind, however many they are. */
function pathsOf(marks: readonly Mark[], first: number, last: number): Record<string, string> {
	const paths: Record<string, string> = {};
	const x = (seq: number) => ((seq - first) / Math.max(1, last - first)) * WIDE;
	const add = (kind: string, path: string) => {
		paths[kind] = (paths[kind] ?? "") + path;
	};
	const starts = new Map<string, number>();
	const bar = (kind: string, from: number, to: number) => {
		const wide = Math.max(x(to) - x(from) - 1.5, 1.5);
		add(kind, `M${x(from).toFixed(1)} 7h${wide.toFixed(1)}v10h-${wide.toFixed(1)}z`);
	};
	for (const { type, seq, runId = "", status = "" } of marks) {
		if (type === "init") starts.set(runId, starts.get(runId) ?? seq);
		if (type === "result") {
			bar(status, starts.get(runId) ?? seq, seq);
			starts.delete(runId);
		}
		if (TICKS.has(type)) add(type, `M${x(seq).toFixed(1)} 0v24`);
	}
	for (const from of starts.values()) bar("open", from, last);
	return paths;
}

const TICKS = new Set([
	"recovered",
	"retract",
	"abort_requested",
	"snapshot_request",
	"execute_request",
]);
