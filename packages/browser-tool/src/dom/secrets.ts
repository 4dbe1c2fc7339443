import { isCardNumber, MASK } from "./card-number";
import { findFields } from "./find-fields";
import type { Root } from "./tree";

/*
 * A password, a card number, its code or a one-time code never leaves the page. Types and
 * `autocomplete` find half of them on real pages; names, labels and the value itself find the others.
 * To take too much for a secret costs an agent one value; too little costs the person.
 */

const WORDS = [
	/pass(?:w|phrase|code)|\bpass\b|pwd|\bpin\b|secret|\bssn\b|social security/i,
	/(?:card|cc)[^a-z]*(?:num(?:ber)?|n[or]|code|verification)\b|cardn|ccn|\bcc exp|\bpan\b|\bc[sv][cvn]2?\b|cv[vc]/i,
	/one.?time|\b[ot]?otp\b|2fa|mfa|(?:security|authentication|verification|sms|login|confirmation) code/i,
	/kennwort|kartennummer|prüf(?:ziffer|nummer)|sicherheitscode|mot de passe|numéro de carte|cryptogramme/i,
	/contraseña|tarjeta|código de seguridad|senha|cartão|wachtwoord|парол|номер карты/i,
	/パスワード|カード番号|暗証番号|認証コード|密[码碼]|卡[号號]|验证码|驗證碼|비밀번호|카드번호/,
];

/** A person may have chosen such a word for a password; in a label it says what the field is for. */
const PURPOSES =
	/^(?:pass(?:word|wort|code)?|pin|secret|code|card|e-?mail|(?:user|first|last)? ?name|user|login|address|phone|number|text)$/i;

/** Words of the tool, and names that the page's author gave: neither repeats what a person typed. */
const NAMES = /^(?:kind|inputType|fieldId|selector|name|action|status|code)$/;

/** Fields that once were passwords: a button that shows one turns it into plain text. */
const wereSecret = new WeakSet<Element>();

/** Whether a field holds a secret. `words` is everything that says what it is for. */
export function isSecret(element: HTMLElement, words: string): boolean {
	if (wereSecret.has(element)) return true;
	const input = element as HTMLInputElement;
	if (!/^(?:input|textarea)$/.test(input.localName) && !input.isContentEditable) return false;
	const secret =
		input.type === "password" ||
		WORDS.some((some) => some.test(spaced(words))) ||
		isOneOfSingleDigits(input) ||
		isDrawnAsDots(input);
	if (secret) wereSecret.add(element);
	return secret || isCardNumber(typedInto(input));
}

/** Everything that says what a field is for. */
export function wordsAbout(element: Element, label: string): string {
	const told = ["autocomplete", "name", "id", "placeholder", "aria-label", "title", "data-testid"];
	return [label, ...told.map((name) => element.getAttribute(name) ?? "")].join(" ").slice(0, 2_000);
}

/** The secrets that the page holds now, shown or not. What their labels say, a snapshot has noted. */
export function secretsIn(root: Root): Set<string> {
	const secrets = new Set<string>();
	for (const { element } of findFields(root).fields) {
		try {
			if (isSecret(element, wordsAbout(element, ""))) secrets.add(typedInto(element));
		} catch {
			// What the page does not let be read, nobody reads out of it.
		}
	}
	return secrets;
}

function typedInto(element: HTMLElement): string {
	// biome-ignore lint/performance/useDomNodeTextContent: it keeps the lines that a person sees
	return (element as HTMLInputElement).value ?? element.innerText;
}

/** "cardNumber" and "card_number" as "card Number" and "card number". */
function spaced(words: string): string {
	return words.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_\-[\].:]+/g, " ");
}

function isDrawnAsDots(input: HTMLElement): boolean {
	const drawn = getComputedStyle(input).getPropertyValue("-webkit-text-security");
	return drawn !== "" && drawn !== "none";
}

/** A row of boxes for one character each: how pages ask for a code. */
function isOneOfSingleDigits(input: HTMLInputElement): boolean {
	if (input.maxLength !== 1) return false;
	const row = input.parentElement?.parentElement ?? input.parentElement;
	return (row?.querySelectorAll('input[maxlength="1"]').length ?? 0) >= 4;
}

/** Which of these neighbours together hold a card number, typed into several boxes. */
export function splitCardNumbers(values: readonly string[]): Set<number> {
	const parts = new Set<number>();
	for (let start = 0; start < values.length; start++) {
		let digits = "";
		for (let end = start; end < values.length && /^\d{1,7}$/.test(values[end]!); end++) {
			digits += values[end];
			if (digits.length > 19) break;
			if (end === start || !isCardNumber(digits)) continue;
			for (let part = start; part <= end; part++) parts.add(part);
		}
	}
	return parts;
}

/** Everything in a value that is text of the page, with every secret in it masked. */
export function redact<T>(value: T, secrets: ReadonlySet<string>): T {
	const known = Array.from(secrets, (secret) => secret.trim())
		.filter((secret) => secret.length >= 3)
		.sort((a, b) => b.length - a.length);
	if (known.length === 0) return value;
	const inText = known.map(patternOf);
	const inLabels = known.filter((secret) => !PURPOSES.test(secret)).map(patternOf);
	const told = JSON.stringify(value, (name, one) => {
		if (typeof one !== "string" || NAMES.test(name)) return one;
		return (name === "label" ? inLabels : inText).reduce((text, p) => text.replace(p, MASK), one);
	});
	return JSON.parse(told);
}

/** A short secret is looked for as a word: "123" is no part of "Room 1234". */
function patternOf(secret: string): RegExp {
	const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	return secret.length >= 6
		? new RegExp(literal, "gi")
		: new RegExp(`(?<![\\p{L}\\d])${literal}(?![\\p{L}\\d])`, "giu");
}
