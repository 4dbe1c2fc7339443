import { afterEach, describe, expect, it, vi } from "vitest";
import { requirePart } from "../src";

describe("requirePart", () => {
	afterEach(() => vi.unstubAllEnvs());

	it("is true for a program on PATH", () => {
		expect(requirePart("node")).toBe(true);
	});

	it("is false for a missing one outside CI", () => {
		vi.stubEnv("CI", "");

		expect(requirePart("no-such-program")).toBe(false);
	});

	it("is an error for a missing one with CI=true", () => {
		vi.stubEnv("CI", "true");

		expect(() => requirePart("no-such-program")).toThrow("no-such-program is not on PATH");
	});
});
