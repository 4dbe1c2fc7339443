import { SETTING_NAMES, SETTINGS } from "./settings";

/** Variables with our prefix that are no settings: a slip of the pen that would go unnoticed. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
	return Object.keys(env).filter(
		(name) => name.startsWith("BATON_") && name !== "BATON_CONFIG" && !isSetting(name),
	);
}

export function isSetting(name: string): boolean {
	return SETTING_NAMES.includes(name);
}

/** "is not a setting", and which one was meant if that can be guessed. */
export function explainUnknown(name: string): string {
	const [nearest] = Object.keys(SETTINGS)
		.map((known) => ({ known, distance: distanceBetween(name, known) }))
		.filter(({ distance }) => distance <= 3)
		.sort((a, b) => a.distance - b.distance);
	return nearest
		? `is not a setting; did you mean ${nearest.known}?`
		: "is not a setting of this version";
}

/** Levenshtein's: how many letters to put in, take out or replace. */
function distanceBetween(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, i) => i);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
		}
		row = next;
	}
	return row[b.length]!;
}
