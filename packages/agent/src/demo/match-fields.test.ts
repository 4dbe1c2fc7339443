import { describe, expect, it } from "vitest";
import { matchFields } from "./match-fields";
import type { SnapshotField } from "./snapshot-field";

const now = new Date("2026-11-15T00:00:00Z");

const field = (label: string, more: Partial<SnapshotField> = {}): SnapshotField => ({
	fieldId: label,
	kind: "text",
	label,
	required: false,
	currentValue: "",
	...more,
});
const select = (label: string, ...options: string[]) => field(label, { kind: "select", options });
const box = (label: string, currentValue = false) =>
	field(label, { kind: "checkbox", currentValue });

/** What is put into a single field. */
function matched(message: string, one: SnapshotField): string | undefined {
	const [first] = matchFields(message, [one], now).actions;
	if (!first) return undefined;
	return first.action.action === "click" ? "click" : first.action.value;
}

const ADA = "I am Ada Lovelace, ada@example.org, +44 20 7946 0958, start in March";

describe("what goes into a field", () => {
	it.each<[string, string, SnapshotField, string | undefined]>([
		["the name", ADA, field("Full name"), "Ada Lovelace"],
		["a part of the name", ADA, field("First name *"), "Ada"],
		["the other part", ADA, field("Surname"), "Lovelace"],
		["never a name as a user name", ADA, field("User name"), undefined],
		["the address", ADA, field("E-mail address"), "ada@example.org"],
		[
			"the address by its type",
			ADA,
			field("Reach me at", { inputType: "email" }),
			"ada@example.org",
		],
		[
			"by the name of a field without a label",
			ADA,
			field("", { name: "email" }),
			"ada@example.org",
		],
		["the phone", ADA, field("Phone"), "+44 20 7946 0958"],
		["the month, in words", ADA, field("Start date"), "March"],
		["the month, as a date", ADA, field("Start", { inputType: "date" }), "2027-03-01"],
		["the month, as a month", ADA, field("Start", { inputType: "month" }), "2027-03"],
		["the month of a list", ADA, select("Start month", "Choose…", "Feb", "Mar", "Apr"), "Mar"],
		[
			"an option that was named",
			"make it the Large one",
			select("Size", "Small", "Large"),
			"Large",
		],
		[
			"the longer option",
			"New York City",
			select("City", "New York", "New York City"),
			"New York City",
		],
		["an option by its label", "size: large", select("Size", "XL (extra large)", "Large"), "Large"],
		["no option by part of a word", "enlarge it", select("Size", "Small", "Large"), undefined],
		[
			"a radio button",
			"I prefer remote work",
			field("Work", { kind: "radio", options: ["Office", "Remote"] }),
			"Remote",
		],
		["what was said by the label", "team: blue whales, thanks", field("Team"), "blue whales"],
		[
			"what was said in a sentence",
			"my favourite colour is green.",
			field("Favourite colour"),
			"green",
		],
		[
			"what was quoted",
			'Comment: "Hi, and bye; yes"',
			field("Comment", { kind: "textarea" }),
			"Hi, and bye; yes",
		],
		["a number", "3 guests please", field("Number of guests", { inputType: "number" }), "3"],
		[
			"a number with its unit",
			"salary: 50,000 euros",
			field("Salary", { inputType: "number" }),
			"50000",
		],
		["a time", "at 3 pm", field("Time", { inputType: "time" }), "15:00"],
		["a box that was wished", "subscribe me to the newsletter", box("Newsletter"), "click"],
		[
			"nothing into a box that is on already",
			"the newsletter please",
			box("Newsletter", true),
			undefined,
		],
		["a click to turn off", "no newsletter", box("Newsletter", true), "click"],
		[
			"nothing into a box that was refused",
			"don't send the newsletter",
			box("Newsletter"),
			undefined,
		],
		[
			"nothing into terms that nobody named",
			ADA,
			box("I agree to the terms of service"),
			undefined,
		],
		[
			"terms that were named",
			"I agree to the terms",
			box("I agree to the terms of service"),
			"click",
		],
		["no secret", "password: hunter2", field("Password", { inputType: "password" }), undefined],
		["no secret by its words", "card number: 4111", field("Card number"), undefined],
		["nothing into a locked field", ADA, field("Full name", { readonly: true }), undefined],
		["no file", "resume: cv.pdf", field("Resume", { kind: "file" }), undefined],
		[
			"nothing that is there already",
			ADA,
			field("Full name", { currentValue: "Ada Lovelace" }),
			undefined,
		],
	])("%s", (_title, message, one, expected) => {
		expect(matched(message, one)).toBe(expected);
	});
});

describe("matchFields", () => {
	const form = [
		field("Send", { kind: "button", submits: true }),
		field("Full name", { required: true }),
		field("Password", { filled: false }),
		field("Team", { required: true }),
	];

	it("sends the form last, and only when that was asked for", () => {
		const sent = matchFields(`${ADA}. Please submit it.`, form, now).actions;
		expect(sent.map(({ action }) => action)).toEqual([
			{ action: "fill", fieldId: "Full name", value: "Ada Lovelace" },
			{ action: "click", fieldId: "Send" },
		]);
		for (const message of [ADA, `${ADA}, but don't submit it yet`]) {
			const kept = matchFields(message, form, now).actions;
			expect(kept.map(({ field }) => field.label)).toEqual(["Full name"]);
		}
	});

	it("sends the form, for the person to agree, when nothing that it needs is missing", () => {
		const whole = form.filter(({ label }) => label !== "Team");
		const labels = (message: string, fields = whole) =>
			matchFields(message, fields, now).actions.map(({ field }) => field.label);
		expect(labels(ADA)).toEqual(["Full name", "Send"]);
		expect(labels(`${ADA}, but don't send it yet`)).toEqual(["Full name"]);
		expect(labels(ADA, [...whole, field("Team", { required: true })])).toEqual(["Full name"]);
		const there = field("Team", { required: true, currentValue: "Blue" });
		expect(labels(ADA, [...whole, there])).toEqual(["Full name", "Send"]);
		expect(labels(ADA, [field("Name"), form[0]!])).toEqual(["Name"]);
		const done = field("Full name", { required: true, currentValue: "Ada Lovelace" });
		expect(labels(ADA, [done, form[0]!])).toEqual(["Send"]);
		expect(labels("fill it in", [done, form[0]!])).toEqual([]);
	});

	it("says why the others are left alone", () => {
		const { skipped } = matchFields(ADA, form, now);
		expect(skipped.map(({ field, reason }) => [field.label, reason])).toEqual([
			["Password", "secret"],
			["Team", "not_said"],
		]);
	});

	it("is fast on a long message", () => {
		const long = "a1 ".repeat(7_000);
		const started = performance.now();
		matchFields(long, [...form, field("E-mail"), select("Size", "Large")], now);
		expect(performance.now() - started).toBeLessThan(1_000);
	});
});
