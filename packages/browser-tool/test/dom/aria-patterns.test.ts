import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { usePage } from "../support/form-page";
import * as widgets from "./aria-widgets";

describe.skipIf(!requirePart("chromium"))("ARIA patterns", () => {
	const { open } = usePage();

	it("an editable combobox is typed into key by key, and its option clicked", async () => {
		const form = await open(widgets.EDITABLE_COMBOBOX);
		expect(form.fields).toMatchObject([{ kind: "combobox", label: "Country", currentValue: "" }]);

		expect(await form.fill("Country", "Kenya")).toMatchObject({
			status: "applied",
			value: "Kenya",
		});
		expect(await form.select("Country", "new zealand")).toMatchObject({ value: "New Zealand" });
		expect(await form.page.getAttribute("#c", "data-chosen")).toBe("New Zealand");
		await expect.poll(() => form.page.isVisible("#cl")).toBe(false);
	});

	it("what is no option of an editable combobox stays only if the page keeps it", async () => {
		const form = await open(widgets.EDITABLE_COMBOBOX);

		expect(await form.select("Country", "Atlantis")).toMatchObject({ code: "option-not-found" });
		expect(await form.fill("Country", "Atlantis")).toMatchObject({ code: "value-not-kept" });
		await form.page.evaluate('document.querySelector("#c").dataset.free = "yes"');
		expect(await form.fill("Country", "Atlantis")).toMatchObject({ status: "applied" });
	});

	it("a select-only combobox is opened, wherever its list appears", async () => {
		const form = await open(widgets.SELECT_ONLY_COMBOBOX);
		expect(form.fields).toMatchObject([
			{ kind: "combobox", label: "Fruit", currentValue: "Choose" },
		]);

		expect(await form.select("Fruit", "Pear")).toMatchObject({ status: "applied", value: "Pear" });
		expect(await form.select("Fruit", "Plum")).toMatchObject({ code: "option-disabled" });
		expect(await form.select("Fruit", "Fig")).toMatchObject({
			code: "option-not-found",
			message: expect.stringContaining('"Apple"'),
		});
		expect(await form.page.locator("#sl").count()).toBe(0);
	});

	it("a button with a list of choices is a combobox, and its list no field of its own", async () => {
		const form = await open(widgets.LISTBOX_BUTTON);
		expect(form.fields).toMatchObject([{ kind: "combobox", options: ["Free", "Team"] }]);

		const { fieldId } = form.fields[0]!;
		const report = await form.execute([{ action: "select", fieldId, value: "Team" }]);

		expect(report).toMatchObject({ applied: 1 });
		expect(await form.page.textContent("#b")).toBe("Team");
	});

	it("a listbox of one choice, and one of several", async () => {
		const form = await open(widgets.LISTBOX);
		expect(form.fields).toMatchObject([
			{ kind: "listbox", label: "Colour", currentValue: "Red" },
			{ kind: "listbox", label: "Extras", multiple: true, currentValues: ["Nuts"] },
		]);

		expect(await form.select("Colour", "Green")).toMatchObject({ value: "Green" });
		expect(await form.select("Colour", "Blue")).toMatchObject({ code: "option-disabled" });
		expect(await form.select("Colour", "", ["Red", "Green"])).toMatchObject({
			code: "malformed-value",
		});
		expect(await form.select("Extras", "", ["Milk", "Cream"])).toMatchObject({
			status: "applied",
			value: "Milk, Cream",
		});
	});

	it("a slider is moved by its keys, the shorter way", async () => {
		const form = await open(widgets.SLIDER);
		expect(form.field("Volume")).toMatchObject({
			kind: "slider",
			currentValue: "50",
			min: "0",
			max: "100",
		});

		expect(await form.fill("Volume", "90")).toMatchObject({ status: "applied", value: "90" });
		expect(await form.page.evaluate("keys")).toBe(3); // End, and two steps back
		expect(await form.fill("Volume", "101")).toMatchObject({ code: "malformed-value" });
		expect(await form.fill("Volume", "42")).toMatchObject({ code: "value-not-kept" });
	});

	it("a spinbutton is moved by its keys, or typed into if it is an input", async () => {
		const form = await open(widgets.SPINBUTTON);
		expect(form.fields).toMatchObject([
			{ kind: "spinbutton", label: "Guests", currentValue: "2" },
			{ kind: "spinbutton", label: "Nights", currentValue: "1" },
		]);

		expect(await form.fill("Guests", "5")).toMatchObject({ status: "applied", value: "5" });
		expect(await form.fill("Nights", "3")).toMatchObject({ status: "applied", value: "3" });
	});

	it("switches, checkboxes and radio buttons made of anything", async () => {
		const form = await open(widgets.TOGGLES);
		expect(form.fields).toMatchObject([
			{ kind: "switch", label: "News", currentValue: false },
			{ kind: "switch", label: "Dark", currentValue: false },
			{ kind: "checkbox", label: "Gift", currentValue: true },
			{ kind: "radio", label: "Seat", currentValue: "Aisle", required: true },
		]);

		expect(await form.click("News")).toMatchObject({ status: "applied", value: true });
		expect(await form.fill("Dark", "on")).toMatchObject({ status: "applied", value: true });
		expect(await form.fill("Gift", "false")).toMatchObject({ status: "applied", value: false });
		expect(await form.select("Seat", "Window")).toMatchObject({ value: "Window" });
		expect(await form.select("Seat", "Roof")).toMatchObject({ code: "option-disabled" });
	});
});
