import { z } from "zod";

/* The kinds of values that settings have. Each reads text, and says what it wants when it cannot. */

export const text = z.string();

export function wholeNumber(min: number, max: number) {
	const wanted = `is not a whole number from ${min} to ${max}`;
	return z
		.string()
		.regex(/^\d{1,15}$/, wanted)
		.transform(Number)
		.refine((value) => value >= min && value <= max, wanted);
}

/** A port, or `off` for a door that stays shut. */
export const portOrOff = z.union([z.literal("off"), wholeNumber(0, 65_535)]);

/** Words with commas between. */
export const list = z.string().transform((value) =>
	value
		.split(",")
		.map((word) => word.trim())
		.filter((word) => word !== ""),
);

const NAMED_ID = /^([a-z0-9][a-z0-9._-]{0,63}):([a-z0-9]{1,64})$/i;

/** `name:id` with commas between: ids by their names. */
export const namedIds = list
	.transform((pairs) => pairs.map((pair) => NAMED_ID.exec(pair)?.slice(1) ?? []))
	.refine(
		(pairs) =>
			pairs.every(([name]) => name) && new Set(pairs.map(([name]) => name)).size === pairs.length,
		"is not a list such as sales:0XxA,service:0XxB, with each name once",
	)
	.transform((pairs): ReadonlyMap<string, string> => new Map(pairs as [string, string][]));

const SWITCH: Record<string, boolean> = {
	on: true,
	true: true,
	yes: true,
	1: true,
	off: false,
	false: false,
	no: false,
	0: false,
};

export const onOff = z
	.string()
	.toLowerCase()
	.refine((value) => Object.hasOwn(SWITCH, value), "is neither on nor off")
	.transform((value) => SWITCH[value] === true);

export function oneOf<const T extends string>(...words: T[]) {
	return z
		.string()
		.refine((value): value is T => words.includes(value as T), `is none of ${words.join(", ")}`);
}

/** An address of HTTP, without a slash at its end. */
export const httpUrl = z
	.string()
	.refine(isHttpUrl, "is not an http:// or https:// address")
	.transform((value) => value.replace(/\/+$/, ""));

/** The same for secrets: encrypted, unless it stays on this machine. */
export const safeUrl = httpUrl.refine(
	(value) => /^https:|^http:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:|$)/.test(value),
	"is not an https:// address",
);

/** Origins as browsers send them, with commas between. */
export const origins = z
	.string()
	.transform((value) =>
		value
			.split(",")
			.map((origin) => origin.trim())
			.filter((origin) => origin !== ""),
	)
	.refine(
		(list) => list.every((origin) => isHttpUrl(origin) && new URL(origin).origin === origin),
		"is not a list of origins such as https://app.example.com,http://localhost:5173",
	);

function isHttpUrl(value: string): boolean {
	return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
