import { hasWord } from "./choose-option";
import type { SnapshotField } from "./snapshot-field";

/** Words of labels that are in every second sentence anyway. */
const COMMON = new Set(
	"i the a an to of and or my me your our with for in on by please yes no this that is are be have has want would like receive send get from".split(
		" ",
	),
);
const NO = `(?:no|not|don't|don’t|do not|without|never|uncheck|untick|unsubscribe)`;

/** Whether the person wants the box ticked: yes, no, or not said. */
export function wantsTicked(field: SnapshotField, message: string): boolean | null {
	const words = field.label
		.toLowerCase()
		.split(/[^\p{L}\d]+/u)
		.filter((word) => word.length > 2 && !COMMON.has(word));
	const named = words.filter((word) => hasWord(message, word));
	// One word of a short label, two of a long one: else any sentence would agree to terms.
	if (named.length === 0 || (words.length > 3 && named.length < 2)) return null;
	const refused = new RegExp(String.raw`\b${NO}\b[^,.;\n]*\b${named[0]}\b`, "iu");
	return !refused.test(message);
}
