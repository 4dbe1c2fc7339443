import * as crypto from "node:crypto";
import { expect, it, vi } from "vitest";
import { createToken, hashToken, tokenMatches } from "./relay-token";

vi.mock("node:crypto", { spy: true });

it("a token has 256 bits, and never comes twice", () => {
	const tokens = Array.from({ length: 1_000 }, createToken);
	expect(new Set(tokens).size).toBe(1_000);
	for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

it("only the token itself matches its hash", () => {
	const token = createToken();
	const hash = hashToken(token);
	expect(hash).not.toContain(token);
	expect(tokenMatches(token, hash)).toBe(true);
	for (const wrong of ["", hash, token.slice(1), `${token}A`, createToken(), "\ud800"]) {
		expect(tokenMatches(wrong, hash)).toBe(false);
	}
	expect(tokenMatches(token, "")).toBe(false);
});

it.each([
	["a wrong token", () => hashToken(createToken())],
	["a session that is not there", () => null],
])("%s is compared in constant time too", (_, stored) => {
	vi.mocked(crypto.timingSafeEqual).mockClear();
	expect(tokenMatches(createToken(), stored())).toBe(false);
	expect(crypto.timingSafeEqual).toHaveBeenCalledTimes(1);
});
