import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { usePage } from "../support/form-page";

const FIELDS = 1_000;

describe.skipIf(!requirePart("chromium"))("a form of 1,000 fields", () => {
	const { open } = usePage();

	it("is told in full, and filled in full", async () => {
		const rows = Array.from(
			{ length: FIELDS },
			(_, n) => `<p><label for="f${n}">Field ${n}</label><input id="f${n}" name="f${n}"></p>`,
		);
		const form = await open(`<form>${rows.join("")}</form>`);
		expect(form.fields).toHaveLength(FIELDS);

		const report = await form.execute(
			form.fields.map(({ fieldId, label }) => ({ action: "fill", fieldId, value: `${label}!` })),
		);

		expect(report).toMatchObject({ applied: FIELDS, skipped: 0 });
		const values = await form.page.evaluate(() =>
			Array.from(document.querySelectorAll("input"), ({ value }) => value),
		);
		expect(values).toEqual(Array.from({ length: FIELDS }, (_, n) => `Field ${n}!`));
	});

	it("takes at most 1,000 actions in a call, and says so", async () => {
		const form = await open("<label>Name <input></label>");
		const actions = Array.from({ length: FIELDS + 1 }, () => ({ action: "click", fieldId: "x" }));

		const report = await form.execute(actions);

		expect(report.results!.at(-2)).toMatchObject({ status: "skipped", code: "not-found" });
		expect(report.results!.at(-1)).toMatchObject({ status: "skipped", code: "not-allowed" });
	});
});
