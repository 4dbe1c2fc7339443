import { describe, expect, it } from "vitest";
import { Newcomers } from "./newcomers";

describe("Newcomers", () => {
	it("lets each address in so often a minute, and says when to come back", async () => {
		const newcomers = new Newcomers(2);
		expect(await newcomers.take("192.0.2.1")).toBeNull();
		expect(await newcomers.take("192.0.2.1")).toBeNull();
		expect(await newcomers.take("192.0.2.1")).toBe(60);
		expect(await newcomers.take("192.0.2.2")).toBeNull();
	});

	it.each([
		["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
		["2001:db8::1", "2001:db8:0:0:5::"],
		["::1", "::2"],
	])("takes %s and %s for one", async (one, other) => {
		const newcomers = new Newcomers(1);
		expect(await newcomers.take(one)).toBeNull();
		expect(await newcomers.take(other)).toBe(60);
		expect(await newcomers.take("2001:db8:1:3::1")).toBeNull();
	});
});
