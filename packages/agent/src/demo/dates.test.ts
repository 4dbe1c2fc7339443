import { describe, expect, it } from "vitest";
import { findDate, toIsoDate, toIsoMonth } from "./dates";

const now = new Date("2026-11-15T00:00:00Z");

describe("a date as a person says it", () => {
	it.each([
		["on 2027-03-05", "2027-03-05"],
		["March 5, 2027", "2027-03-05"],
		["the 5th of March 2027", "2027-03-05"],
		["5 Mar 2027", "2027-03-05"],
		["I can start in March", "2027-03-01"],
		["in December", "2026-12-01"],
		["in November", "2026-11-01"],
		["March 2028", "2028-03-01"],
		["in May", "2027-05-01"],
		["May 3", "2027-05-03"],
	])("%s is %s", (text, iso) => {
		const date = findDate(text);
		expect(date && toIsoDate(date, now)).toBe(iso);
		expect(date && toIsoMonth(date, now)).toBe(iso.slice(0, 7));
	});

	it.each(["may I come?", "a marching band", "2027-15-05", "no date here", "3 apples"])(
		"%s is none",
		(text) => expect(findDate(text)).toBeNull(),
	);
});
