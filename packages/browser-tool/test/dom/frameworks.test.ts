import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { bundle } from "../support/bundle";
import { type FormPage, usePage } from "../support/form-page";

describe.skipIf(!requirePart("chromium"))("forms of frameworks", () => {
	const { openApart } = usePage();
	const scripts = new Map(
		["react-form.tsx", "vue-form.ts"].map((file) => [file, bundle(`dom/${file}`)]),
	);

	const open = async (file: string) => {
		const form = await openApart('<div id="app"></div>');
		await form.page.addScriptTag({ content: await scripts.get(file)! });
		await form.page.locator("#state").waitFor();
		await form.snapshot();
		return form;
	};
	const stateOf = async ({ page }: FormPage) =>
		JSON.parse((await page.locator("#state").textContent()) ?? "");
	const fillAll = (form: FormPage) => {
		const named = (label: string, action: object) => ({
			...action,
			fieldId: form.field(label).fieldId,
		});
		return form.execute([
			named("Name", { action: "fill", value: "Ada" }),
			named("Email", { action: "fill", value: "ada@example.org" }),
			named("About", { action: "fill", value: "One\nTwo" }),
			named("Guests", { action: "fill", value: "3" }),
			named("Date", { action: "fill", value: "2026-03-01" }),
			named("Country", { action: "select", value: "Japan" }),
			named("Topics", { action: "select", value: "", values: ["Art", "Chess"] }),
			named("Terms", { action: "click" }),
			named("Size", { action: "select", value: "M" }),
			named("Volume", { action: "fill", value: "70" }),
			named("News", { action: "click" }),
		]);
	};

	it("React sees every kind of field filled", async () => {
		const form = await open("react-form.tsx");

		const report = await fillAll(form);

		expect(report).toMatchObject({ applied: 11, skipped: 0, warnings: [] });
		expect(await stateOf(form)).toMatchObject({
			name: "Ada",
			email: "ada@example.org",
			about: "One\nTwo",
			guests: "3",
			date: "2026-03-01",
			country: "jp",
			topics: ["a", "c"],
			terms: true,
			size: "M",
			volume: "70",
			news: true,
		});
	});

	it("React's check on leaving a field is made, and told", async () => {
		const form = await open("react-form.tsx");

		const result = await form.fill("Email", "nobody");
		await form.snapshot();

		expect(result.status).toBe("applied");
		expect(form.field("Email")).toMatchObject({
			invalid: true,
			validationMessage: "That is no address.",
		});
	});

	it("a value that the page writes its own way is applied; one that it undoes is not", async () => {
		const form = await open("react-form.tsx");

		expect(await form.fill("Phone", "5551234")).toMatchObject({
			status: "applied",
			value: "555 123 4",
		});
		expect(await form.fill("Fixed", "other")).toMatchObject({
			status: "failed",
			code: "value-not-kept",
		});
	});

	it("Vue sees every kind of field filled", async () => {
		const form = await open("vue-form.ts");

		const report = await fillAll(form);

		expect(report).toMatchObject({ applied: 11, skipped: 0, warnings: [] });
		expect(await stateOf(form)).toEqual({
			name: "Ada",
			email: "ada@example.org",
			about: "One\nTwo",
			guests: 3,
			date: "2026-03-01",
			country: "jp",
			topics: ["a", "c"],
			terms: true,
			size: "M",
			volume: 70,
			news: true,
		});
	});
});
