import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { snapshotFieldSchema } from "../../src";
import { usePage } from "../support/form-page";

describe.skipIf(!requirePart("chromium"))("fields of plain HTML", () => {
	const { open } = usePage();

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
	])("an input of type %s is read and filled", async (type, value) => {
		const form = await open(`<label>Field <input type="${type}" name="it" step="any"></label>`);
		expect(form.fields).toMatchObject([
			{ kind: "text", label: "Field", name: "it", inputType: type },
		]);

		expect(await form.fill("Field", value)).toMatchObject({ status: "applied", value });

		expect(await form.page.inputValue("input")).toBe(value);
		await form.snapshot();
		expect(form.field("Field").currentValue).toBe(value);
	});

	it("a range is a slider, filled with a number that it can show", async () => {
		const form = await open(
			'<label>Volume <input type="range" max="50" step="5" value="5"></label>',
		);
		expect(form.field("Volume")).toMatchObject({
			kind: "slider",
			inputType: "range",
			currentValue: "5",
			max: "50",
			step: "5",
		});

		expect(await form.fill("Volume", "35")).toMatchObject({ status: "applied", value: "35" });
		expect(await form.fill("Volume", "500")).toMatchObject({
			status: "skipped",
			code: "malformed-value",
		});
		expect(await form.page.inputValue("input")).toBe("35");
	});

	it("a textarea keeps its lines", async () => {
		const form = await open("<label>About <textarea>Old</textarea></label>");
		expect(form.field("About")).toMatchObject({ kind: "textarea", currentValue: "Old" });

		expect(await form.fill("About", "One\r\nTwo")).toMatchObject({ value: "One\nTwo" });
	});

	it("a select is told with its options and chosen by label or value", async () => {
		const form = await open(`<label for="s">Country</label><select id="s">
			<option value="">Choose</option>
			<optgroup label="North"><option value="no">Norway</option></optgroup>
			<optgroup label="South" disabled><option value="ke">Kenya</option></optgroup>
			<option value="jp" disabled>Japan</option></select>`);
		expect(form.field("Country")).toMatchObject({
			kind: "select",
			currentValue: "Choose",
			options: ["Choose", "Norway", "Kenya", "Japan"],
			optionDetails: [
				{ value: "", label: "Choose", selected: true },
				{ value: "no", label: "Norway", group: "North" },
				{ value: "ke", label: "Kenya", group: "South", disabled: true },
				{ value: "jp", label: "Japan", disabled: true },
			],
		});

		expect(await form.select("Country", "norway")).toMatchObject({ value: "Norway" });
		expect(await form.page.inputValue("select")).toBe("no");
		expect(await form.select("Country", "")).toMatchObject({ value: "Choose" });
		expect(await form.fill("Country", "no")).toMatchObject({ value: "Norway" });
		expect(await form.select("Country", "Kenya")).toMatchObject({ code: "option-disabled" });
		expect(await form.select("Country", "Japan")).toMatchObject({ code: "option-disabled" });
		expect(await form.select("Country", "Peru")).toMatchObject({
			status: "skipped",
			code: "option-not-found",
			message: expect.stringContaining('"Norway"'),
		});
		expect(await form.page.inputValue("select")).toBe("no");
	});

	it("a select of several takes exactly what is named", async () => {
		const form = await open(`<label>Topics <select multiple>
			<option selected>Art</option><option>Books</option><option>Chess</option></select></label>`);
		expect(form.field("Topics")).toMatchObject({ multiple: true, currentValues: ["Art"] });

		const result = await form.select("Topics", "", ["Books", "Chess"]);

		expect(result).toMatchObject({ status: "applied", value: "Books, Chess" });
		expect(await form.select("Topics", "", [])).toMatchObject({ status: "applied", value: "" });
	});

	it("a checkbox is set once: told its state it is clicked only when it differs", async () => {
		const form = await open(
			'<label><input type="checkbox" onchange="changes = (window.changes ?? 0) + 1"> Terms</label>',
		);
		expect(form.field("Terms")).toMatchObject({ kind: "checkbox", currentValue: false });

		expect(await form.fill("Terms", "true")).toMatchObject({ status: "applied", value: true });
		expect(await form.fill("Terms", "yes")).toMatchObject({ status: "applied", value: true });
		expect(await form.page.evaluate("changes")).toBe(1);
		expect(await form.click("Terms")).toMatchObject({ status: "applied", value: false });
		expect(await form.fill("Terms", "perhaps")).toMatchObject({ code: "malformed-value" });
	});

	it("radio buttons are one field per form and name, labelled by the legend", async () => {
		const radios = (name: string) => `<fieldset><legend>${name}</legend>
			<label><input type="radio" name="size" value="s" required> Small</label>
			<label><input type="radio" name="size" value="m" checked> Medium</label>
			<label><input type="radio" name="size" value="l" disabled> Large</label></fieldset>`;
		const form = await open(`<form>${radios("Shirt")}</form><form>${radios("Shoes")}</form>`);
		expect(form.fields).toMatchObject([
			{ kind: "radio", label: "Shirt", currentValue: "Medium", required: true },
			{ kind: "radio", label: "Shoes", options: ["Small", "Medium", "Large"] },
		]);
		expect(form.fields[0]!.legends).toBeUndefined();

		expect(await form.select("Shoes", "Small")).toMatchObject({
			status: "applied",
			value: "Small",
		});
		expect(await form.select("Shoes", "l")).toMatchObject({ code: "option-disabled" });
		await form.snapshot();
		expect(form.fields.map(({ currentValue }) => currentValue)).toEqual(["Medium", "Small"]);
	});

	it("an editor's text is replaced as if it was typed", async () => {
		const form = await open(`<div id="e" contenteditable aria-label="Letter"
			oninput="kinds = [...(window.kinds ?? []), event.inputType]"><p>Old <b>words</b></p></div>`);
		expect(form.field("Letter")).toMatchObject({ kind: "richtext", currentValue: "Old words" });

		expect(await form.fill("Letter", "New words")).toMatchObject({ value: "New words" });
		expect(await form.page.textContent("#e")).toBe("New words");
		expect(await form.page.evaluate("kinds")).toContain("insertText");
		expect(await form.fill("Letter", "")).toMatchObject({ status: "applied" });
	});

	it("a list of suggestions is told; any other text is taken as well", async () => {
		const form = await open(`<label>City <input list="l"></label>
			<datalist id="l"><option value="OSL">Oslo</option><option value="Rome"></datalist>`);
		expect(form.field("City")).toMatchObject({ kind: "combobox", options: ["Oslo", "Rome"] });

		expect(await form.select("City", "Oslo")).toMatchObject({ value: "OSL" });
		expect(await form.fill("City", "Lima")).toMatchObject({ value: "Lima" });
	});

	it("a file is listed and never set", async () => {
		const form = await open('<label>CV <input type="file" required></label>');
		expect(form.field("CV")).toMatchObject({ kind: "file", required: true, currentValue: "" });

		expect(await form.fill("CV", "/etc/passwd")).toMatchObject({ code: "not-allowed" });
		expect(await form.click("CV")).toMatchObject({ code: "not-allowed" });
	});

	it("a harmless button is clicked, and nothing else can be done with it", async () => {
		const form = await open(
			'<button type="button" onclick="clicks = (window.clicks ?? 0) + 1">Add a row</button>',
		);
		expect(form.field("Add a row")).toMatchObject({ kind: "button" });
		expect(form.field("Add a row").submits).toBeUndefined();

		expect(await form.click("Add a row")).toMatchObject({ status: "applied" });
		expect(await form.page.evaluate("clicks")).toBe(1);
		expect(await form.fill("Add a row", "x")).toMatchObject({ code: "unsupported" });
	});

	it("the state of a field is told: required, disabled, read-only, wrong, described, grouped", async () => {
		const form = await open(`<fieldset><legend>Person</legend><fieldset><legend>Address</legend>
			<label>Street <input required placeholder="High Street 1" maxlength="30" aria-describedby="h"></label>
			<small id="h">As on the letter.</small></fieldset></fieldset>
			<fieldset disabled><label>Gone <input></label></fieldset>
			<label>Fixed <input readonly value="x"></label>
			<label>Age <input type="number" min="18" max="99" value="7"></label>
			<label>Mail <input type="email" value="nobody"></label>`);

		expect(form.field("Street")).toMatchObject({
			required: true,
			placeholder: "High Street 1",
			maxLength: 30,
			description: "As on the letter.",
			legends: ["Person", "Address"],
		});
		// An empty field that nobody has touched is not wrong yet.
		expect(form.field("Street").invalid).toBeUndefined();
		expect(form.field("Gone").disabled).toBe(true);
		expect(form.field("Fixed").readonly).toBe(true);
		expect(form.field("Age")).toMatchObject({ min: "18", max: "99", invalid: true });
		expect(form.field("Mail").validationMessage).toContain("@");
		expect(await form.fill("Gone", "x")).toMatchObject({ status: "skipped", code: "disabled" });
		expect(await form.fill("Fixed", "y")).toMatchObject({ status: "skipped", code: "readonly" });
		expect(await form.fill("Mail", "still nobody")).toMatchObject({
			status: "applied",
			validationMessage: expect.stringContaining("@"),
		});
	});

	it.each([
		["date", "March 1st", "YYYY-MM-DD"],
		["time", "noon", "HH:MM"],
		["number", "three", "number"],
		["color", "orange", "#rrggbb"],
		["week", "10", "YYYY-Www"],
	])("a %s does not take %o, and says what it takes", async (type, value, form_) => {
		const form = await open(`<label>Field <input type="${type}"></label>`);
		const before = await form.page.inputValue("input");

		expect(await form.fill("Field", value)).toMatchObject({
			status: "skipped",
			code: "malformed-value",
			message: expect.stringContaining(form_),
		});
		expect(await form.page.inputValue("input")).toBe(before);
	});

	it("a text longer than its field takes is refused", async () => {
		const form = await open('<label>Code <input maxlength="3"></label>');

		expect(await form.fill("Code", "abcd")).toMatchObject({ code: "malformed-value" });
	});

	it("a field sees focus, input, change and blur, and the person keeps the focus", async () => {
		const form = await open(`<input id="mine" aria-label="Mine"><label>Other <input id="o"></label>
			<script>seen = []; for (const type of ["focus", "input", "change", "blur"])
				o.addEventListener(type, () => seen.push(type));</script>`);
		await form.page.focus("#mine");

		await form.fill("Other", "x");

		expect(await form.page.evaluate("seen")).toEqual(["focus", "input", "change", "blur"]);
		expect(await form.page.evaluate("document.activeElement.id")).toBe("mine");
	});

	it("every field of a snapshot is one by the schema", async () => {
		const form = await open(`<form><label>A <input></label><select aria-label="B"><option>x</select>
			<input type="checkbox" aria-label="C"><button>D</button></form>`);

		expect(form.fields).toHaveLength(4);
		for (const field of form.fields) expect(snapshotFieldSchema.parse(field)).toEqual(field);
	});
});
