import { hash } from "node:crypto";
import { BatonError } from "./errors";
import type { Json } from "./json";
import { LIMITS } from "./limits";

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const NAME = /^[a-z][a-z0-9-]{0,63}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f\ud800-\udfff]/u;

/** Ids become file names and keys, so they are held to a set that is safe in both. */
export function checkId(id: string): void {
	if (typeof id !== "string" || !ID.test(id)) {
		throw new BatonError(
			"invalid",
			`Session id ${quote(id)} is not allowed: use 1 to 128 of the characters A-Z a-z 0-9 _ -, a UUID for instance; make any other name an alias.`,
		);
	}
}

export function checkName(kind: "log" | "counter" | "register" | "collection", name: string): void {
	if (typeof name !== "string" || !NAME.test(name)) {
		throw new BatonError(
			"invalid",
			`The ${kind} name ${quote(name)} is not allowed: use a lower-case letter, then up to 63 of a-z 0-9 -.`,
		);
	}
}

export function checkText(
	kind: "alias" | "group" | "holder" | "idempotency key" | "register value",
	text: string,
): void {
	const empty = text === "" && kind !== "group";
	if (typeof text !== "string" || empty || text.length > LIMITS.text || CONTROL.test(text)) {
		throw new BatonError(
			"invalid",
			`The ${kind} ${quote(text)} is not allowed: use 1 to ${LIMITS.text} characters, none of them a control character.`,
		);
	}
}

export function checkDuration(kind: string, ms: number): void {
	if (!Number.isInteger(ms) || ms < 1 || ms > LIMITS.durationMs) {
		throw new BatonError(
			"invalid",
			`${kind} must be a whole number of milliseconds from 1 to ${LIMITS.durationMs}, not ${String(ms)}.`,
		);
	}
}

export function checkInteger(kind: string, value: number, min: number, max: number): void {
	if (!Number.isInteger(value) || value < min || value > max) {
		throw new BatonError(
			"invalid",
			`${kind} must be a whole number from ${min} to ${max}, not ${String(value)}.`,
		);
	}
}

/** JSON text of a value, on one line, or an error that says what is wrong with it. */
export function encodeJson(what: string, value: unknown, maxBytes: number): string {
	let text: string | undefined;
	try {
		text = JSON.stringify(value);
	} catch (cause) {
		throw new BatonError("invalid", `${what} is not JSON: ${(cause as Error).message}.`, { cause });
	}
	if (text === undefined) throw new BatonError("invalid", `${what} is not JSON: ${typeof value}.`);
	if (exceeds(text, maxBytes)) {
		throw new BatonError(
			"too_large",
			`${what} is larger than ${maxBytes} bytes as JSON; store large content elsewhere and refer to it.`,
		);
	}
	return text;
}

export function encodeBatch(events: readonly Json[]): string[] {
	if (events.length === 0) throw new BatonError("invalid", "An append needs at least one event.");
	if (events.length > LIMITS.batchEvents) {
		throw new BatonError(
			"too_large",
			`A batch of ${events.length} events is over ${LIMITS.batchEvents}; append it in parts.`,
		);
	}
	const lines = events.map((event) => encodeJson("An event", event, LIMITS.eventBytes));
	let characters = 0;
	for (const line of lines) characters += line.length;
	if (characters * 3 > LIMITS.batchBytes) {
		let bytes = 0;
		for (const line of lines) bytes += Buffer.byteLength(line);
		if (bytes > LIMITS.batchBytes) {
			throw new BatonError(
				"too_large",
				`A batch of ${bytes} bytes is over ${LIMITS.batchBytes}; append it in parts.`,
			);
		}
	}
	return lines;
}

/** The same for equal JSON values, whatever the order of their keys. */
export function digest(value: Json): string {
	return hash("sha256", JSON.stringify(sortKeys(value)), "base64url");
}

function sortKeys(value: Json): Json {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (value === null || typeof value !== "object") return value;
	// Pairs, not an object: a key such as "1" or "__proto__" would not keep its place in one.
	return Object.keys(value)
		.sort()
		.map((key) => [key, sortKeys(value[key] as Json)]);
}

function exceeds(text: string, maxBytes: number): boolean {
	if (text.length * 3 <= maxBytes) return false;
	return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}

function quote(text: unknown): string {
	if (typeof text !== "string") return `of type ${typeof text}`;
	return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
