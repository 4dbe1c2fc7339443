import { useRef } from "react";

/** Every value that was seen, in order: what can be chosen does not vanish with what is shown. */
export function useKnownValues(values: readonly string[], chosen: string): string[] {
	const known = useRef(new Set<string>());
	for (const value of values) known.current.add(value);
	if (chosen !== "") known.current.add(chosen);
	return [...known.current].sort();
}
