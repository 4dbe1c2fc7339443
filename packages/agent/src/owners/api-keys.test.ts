import { describe, expect, it } from "vitest";
import { ApiKeys } from "./api-keys";

const ADA = "ada-key-0123456789";
const BOB = "bob-key-0123456789";

describe("API keys", () => {
	it("resolve to the owner they were given to", () => {
		const keys = ApiKeys.parse(`ada:${ADA}, bob:${BOB},ada:another-key-of-hers`);
		expect(keys.resolve(ADA)).toBe("ada");
		expect(keys.resolve(BOB)).toBe("bob");
		expect(keys.resolve("another-key-of-hers")).toBe("ada");
		expect(keys.owners).toEqual(["ada", "bob"]);
	});

	it.each(["", "x", ADA.slice(0, -1), `${ADA}0`, `ada:${ADA}`])("resolve %j to nobody", (key) => {
		expect(ApiKeys.parse(`ada:${ADA}`).resolve(key)).toBeNull();
	});

	it("may hold a colon", () => {
		expect(ApiKeys.parse("ada:with:colons:inside").resolve("with:colons:inside")).toBe("ada");
	});

	it.each([
		["no-colon-at-all-here", "entry 1 is not owner:key"],
		[`:${ADA}`, "entry 1 is not owner:key"],
		[`a b:${ADA}`, "owner of entry 1"],
		[`ada:${ADA},bob:short`, "key of entry 2"],
		[`ada:${ADA},bob:${ADA}`, "twice"],
	])("are refused in %j, without showing them", (text, reason) => {
		const parse = () => ApiKeys.parse(text);
		expect(parse).toThrow(reason);
		expect(parse).not.toThrow(ADA);
	});
});
