import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { executionReportSchema } from "../../src";
import { usePage } from "../support/form-page";

const FORM = `<form><label>Name <input name="name"></label><label>City <input name="city"></label>
	<fieldset><legend>One</legend><label>Zip <input name="zip"></label></fieldset>
	<fieldset><legend>Two</legend><label>Zip <input name="zip"></label></fieldset></form>`;

describe.skipIf(!requirePart("chromium"))("which field an action means", () => {
	const { open } = usePage();

	it.each([
		["went away", 'document.querySelector("[name=name]").remove()'],
		["was put in anew", 'document.querySelector("form").innerHTML += ""'],
		["is called otherwise", 'document.querySelector("label").firstChild.data = "Password"'],
		["has another name", 'document.querySelector("[name=name]").name = "other"'],
		["is of another kind", 'document.querySelector("[name=name]").type = "checkbox"'],
	])("a field that %s is stale, and the new snapshot is offered", async (_how, change) => {
		const form = await open(FORM);
		await form.page.evaluate(change);

		const { fieldId } = form.field("Name");
		const report = await form.execute([{ action: "fill", fieldId, value: "x" }]);

		expect(report).toMatchObject({ applied: 0, skipped: 1, results: [{ code: "stale" }] });
		expect(executionReportSchema.parse(report)).toEqual(report);
		const offered = report.snapshot!.fields;
		expect(offered.length).toBeGreaterThan(0);
		const city = offered.find(({ label }) => label === "City")!;
		const again = await form.execute([{ action: "fill", fieldId: city.fieldId, value: "Oslo" }]);
		expect(again.applied).toBe(1);
	});

	it("a field keeps its id over snapshots, and loses it when it is no longer told", async () => {
		const form = await open(FORM);
		const { fieldId } = form.field("Name");
		await form.snapshot();
		expect(form.field("Name").fieldId).toBe(fieldId);

		await form.page.evaluate('document.querySelector("label").hidden = true');
		await form.snapshot();
		await form.page.evaluate('document.querySelector("label").hidden = false');

		const report = await form.execute([{ action: "fill", fieldId, value: "x" }]);
		expect(report.results).toMatchObject([{ code: "stale" }]);
	});

	it.each(["input", "#it", "[name=name]", "0", "__proto__", "constructor", ""])(
		"no selector is ever run, and no other name of a field: %o",
		async (fieldId) => {
			const form = await open(FORM);

			const report = await form.execute([{ action: "fill", fieldId, value: "x" }]);

			expect(report.results).toMatchObject([{ status: "skipped", code: "not-found" }]);
			expect(await form.page.inputValue("[name=name]")).toBe("");
		},
	);

	it("after a reload, the fields that are just what the agent saw are found again", async () => {
		const form = await open(FORM);
		const seen = form.fields;
		await form.page.goto("about:blank");
		const again = await open(FORM);
		again.fields = seen;

		const actions = seen.map(({ fieldId }, index) => ({
			action: "fill",
			fieldId,
			value: `v${index}`,
		}));
		const blind = await again.execute(actions);
		const report = await again.execute(actions, { seen });

		expect(blind).toMatchObject({ applied: 0, results: [{ code: "not-found" }, {}, {}, {}] });
		expect(report).toMatchObject({ applied: 4 });
		const values = await again.page.evaluate(
			"[...document.querySelectorAll('input')].map((one) => one.value)",
		);
		expect(values).toEqual(["v0", "v1", "v2", "v3"]);
	});

	it("after a reload into another form, nothing is found that only looks a little alike", async () => {
		const form = await open(FORM);
		const seen = form.fields;
		await form.page.goto("about:blank");
		const again = await open(FORM.replace("City", "Town").replace("<legend>One", "<legend>Three"));

		const actions = seen.map(({ fieldId }) => ({ action: "fill", fieldId, value: "x" }));
		const report = await again.execute(actions, { seen });

		expect(report.results!.map(({ status, code }) => code ?? status)).toEqual([
			"applied",
			"stale",
			"stale",
			"applied",
		]);
	});

	it.each([
		[null, "malformed-value"],
		["click", "malformed-value"],
		[{ action: "click" }, "malformed-value"],
		[{ action: "drag", fieldId: "x" }, "unsupported"],
		[{ action: "fill", fieldId: "x" }, "malformed-value"],
		[{ action: "fill", fieldId: "x", value: 7 }, "malformed-value"],
		[{ action: "fill", fieldId: "x", value: "y".repeat(100_001) }, "malformed-value"],
	])("a wrong action is told so, and the others go on: %o", async (wrong, code) => {
		const form = await open(FORM);
		const good = { action: "fill", fieldId: form.field("City").fieldId, value: "Oslo" };

		const report = await form.execute([wrong as never, good]);

		expect(report).toMatchObject({
			applied: 1,
			skipped: 1,
			results: [{ code }, { status: "applied" }],
		});
		expect(report.warnings).toHaveLength(1);
	});
});
