import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const TOKEN_BYTES = 32;

export function createToken(): string {
	return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What is stored: whoever reads the store cannot speak for anyone. */
export function hashToken(token: string): string {
	return createHash("sha256").update(token).digest("base64url");
}

/** Stands in for the hash of a session that is not there, so that both take the same time. */
const NOBODY = hashToken(createToken());

/** Compares in a time that says nothing about how much of the token is right. */
export function tokenMatches(token: string, storedHash: string | null): boolean {
	const given = Buffer.from(hashToken(token));
	const stored = Buffer.from(storedHash ?? NOBODY);
	return given.length === stored.length && timingSafeEqual(given, stored) && storedHash !== null;
}
