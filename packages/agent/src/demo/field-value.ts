import { toIsoDate, toIsoMonth } from "./dates";
import { findLabelled } from "./labelled-value";
import type { Facts } from "./read-message";
import type { SnapshotField } from "./snapshot-field";

type Reader = (facts: Facts, now: Date) => string | undefined;

/** What a field asks for, by its words. The first that fits decides. */
const BY_WORDS: [RegExp, Reader][] = [
	[/e-?mail/, ({ email }) => email],
	[/phone|mobile|\btel\b|telephone/, ({ phone }) => phone],
	[/\b(?:first|given|fore)[\s_-]?name|\bfname\b/, ({ fullName }) => fullName?.split(" ")[0]],
	[
		/\b(?:last|family|sur)[\s_-]?name|surname|\blname\b/,
		({ fullName }) => fullName?.split(" ").slice(1).join(" ") || undefined,
	],
	[/company|organi[sz]ation|employer/, ({ company }) => company],
	[/\b(?:user|login|nick|file|company)[\s_-]?name/, () => undefined],
	[/\bname\b/, ({ fullName }) => fullName],
	[/website|homepage|\burl\b|portfolio/, ({ url }) => url],
	[/\bage\b/, ({ age }) => age],
	[/\bcity\b|\btown\b/, ({ city }) => city],
	[/country/, ({ country }) => country],
	[/\btime\b/, ({ time }) => time],
	[/date|\bstart|available|arrival|birthday|\bmonth\b|\bwhen\b/, ({ date }) => date?.words],
];

/** What a field asks for, by the type of its input. */
const BY_TYPE: Record<string, Reader> = {
	email: ({ email }) => email,
	tel: ({ phone }) => phone,
	url: ({ url }) => url,
	date: ({ date }, now) => date && toIsoDate(date, now),
	month: ({ date }, now) => date && toIsoMonth(date, now),
	time: ({ time }) => time && toClock(time),
};

/** The text for a field that takes text, or null when the person did not say it. */
export function fieldValue(
	field: SnapshotField,
	message: string,
	facts: Facts,
	now: Date,
): string | null {
	const type = field.inputType ?? field.kind;
	const byType = BY_TYPE[type];
	if (byType) return byType(facts, now) ?? null;
	const labelled = findLabelled(message, field.label);
	if (type === "number" || type === "spinbutton" || type === "slider" || type === "range") {
		return number(labelled) ?? number(byWords(field, facts, now)) ?? numberBeside(field, message);
	}
	return labelled ?? byWords(field, facts, now) ?? null;
}

function byWords(field: SnapshotField, facts: Facts, now: Date): string | undefined {
	// The label is what the person sees; the others only speak when it says nothing.
	for (const words of [field.label, field.name, field.placeholder]) {
		if (!words) continue;
		const known = BY_WORDS.find(([pattern]) => pattern.test(words.toLowerCase()));
		if (known) return known[1](facts, now);
	}
	return undefined;
}

function number(text: string | null | undefined): string | null {
	return text
		? (/-?\d+(?:\.\d+)?/.exec(text.replace(/(?<=\d),(?=\d{3})/g, ""))?.[0] ?? null)
		: null;
}

/** "3 guests", for a field about guests. */
function numberBeside(field: SnapshotField, message: string): string | null {
	for (const word of field.label.toLowerCase().split(/[^\p{L}]+/u)) {
		if (word.length < 3) continue;
		const stem = word.replace(/s$/, "");
		const found = new RegExp(String.raw`\b(\d+(?:\.\d+)?) ${stem}`, "iu").exec(message);
		if (found) return found[1]!;
	}
	return null;
}

/** "3 pm" as `15:00`. */
function toClock(time: string): string | undefined {
	const found = /^(\d{1,2})(?::(\d{2}))? ?([ap]m)?$/i.exec(time);
	if (!found) return undefined;
	const half = found[3]?.toLowerCase();
	const hour = (Number(found[1]) % (half ? 12 : 24)) + (half === "pm" ? 12 : 0);
	return `${String(hour).padStart(2, "0")}:${found[2] ?? "00"}`;
}
