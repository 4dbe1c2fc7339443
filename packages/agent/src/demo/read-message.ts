import { findDate, type SpokenDate } from "./dates";

/** What a person said about themselves, in kinds that forms ask for. */
export interface Facts {
	fullName?: string;
	email?: string;
	phone?: string;
	url?: string;
	company?: string;
	city?: string;
	country?: string;
	age?: string;
	time?: string;
	date?: SpokenDate;
}

const WORD = String.raw`\p{Lu}[\p{L}\p{M}'’-]*`;
const NAME = `(${WORD}(?: (?:(?:van|von|de|der|da|di|la|le|bin) )?${WORD}){0,3})`;
const NAME_PATTERNS = [
	new RegExp(
		String.raw`\b(?:[Mm]y (?:full )?name(?:'s|’s| is)|[Nn]ame(?: is|:)|[Cc]all me) ${NAME}`,
		"u",
	),
	new RegExp(String.raw`\b(?:I am|I'm|I’m|i am|i'm|[Tt]his is) ${NAME}`, "u"),
	// "Ada Lovelace, ada@example.org": two names at least, at the start, before a comma.
	new RegExp(`^(${WORD}(?: ${WORD}){1,3})(?=,)`, "u"),
];
const EMAIL = /[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,8}/u;
const URL_PATTERN = /\bhttps?:\/\/[^\s,;]+[^\s,;.]/;
const PHONE = /(?:\+|\b)\d[\d ().-]{5,20}\d\b/;
const AGE =
	/\b(?:age(?: is|:)? |aged |I am |I'm )(\d{1,3})\b(?! ?(?:-|\/|\d))|\b(\d{1,3}) years old\b/i;
const TIME = /\b(?:at )(\d{1,2}(?::\d{2})? ?(?:[ap]m)?)\b/i;
const PLACE = `(${WORD}(?: ${WORD}){0,2})`;
const COMPANY = new RegExp(
	String.raw`\b(?:work (?:at|for)|employed (?:at|by)|company(?: is|:)) ${PLACE}`,
	"u",
);
const CITY = new RegExp(String.raw`\b(?:live in|from|based in|city(?: is|:)) ${PLACE}`, "u");
const COUNTRY = new RegExp(String.raw`\bcountry(?: is|:) ${PLACE}`, "u");

/** Reads a message. Only what was said is in the result; nothing is guessed. */
export function readFacts(message: string): Facts {
	const email = EMAIL.exec(message)?.[0];
	const url = URL_PATTERN.exec(message)?.[0];
	// Numbers in an address or a date are no phone number.
	const rest = [email, url].reduce(
		(text: string, known) => text.replace(known ?? "", " "),
		message,
	);
	const date = findDate(rest) ?? undefined;
	const withoutDate = date ? rest.replace(date.words, " ") : rest;
	const age = AGE.exec(withoutDate);
	return defined({
		fullName: findName(message),
		email,
		url,
		date,
		phone: PHONE.exec(withoutDate)?.[0].trim(),
		age: age?.[1] ?? age?.[2],
		time: TIME.exec(withoutDate)?.[1],
		company: COMPANY.exec(message)?.[1],
		city: CITY.exec(message)?.[1],
		country: COUNTRY.exec(message)?.[1],
	});
}

export function findName(message: string): string | undefined {
	for (const pattern of NAME_PATTERNS) {
		const name = pattern.exec(message)?.[1];
		if (name) return name;
	}
	return undefined;
}

function defined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
