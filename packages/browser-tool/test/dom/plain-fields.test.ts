import { launchChromium, requirePart } from "@baton/testkit";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FormPage } from "../support/form-page";

describe.skipIf(!requirePart("chromium"))("fields of plain HTML", () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchChromium();
	});
	afterAll(() => browser?.close());

	it.each([
		["text", "Ada"],
		["search", "engines"],
		["email", "ada@example.org"],
		["url", "https://example.org/"],
		["tel", "+44 20 7946 0000"],
		["number", "12.5"],
		["date", "2026-03-01"],
		["time", "09:30"],
		["month", "2026-03"],
		["week", "2026-W10"],
		["datetime-local", "2026-03-01T09:30"],
		["color", "#ff8800"],
		["range", "70"],
	])("an input of type %s is read and filled", async (type, value) => {
		const form = await FormPage.open(
			browser,
			`<label>Field <input type="${type}" name="it" step="any"></label>`,
		);
		await form.snapshot();
		expect(form.fields).toMatchObject([{ label: "Field", name: "it", inputType: type }]);

		const result = await form.fill("Field", value);

		expect(result).toMatchObject({ status: "applied", value });
		expect(await form.page.inputValue("input")).toBe(value);
	});
});
