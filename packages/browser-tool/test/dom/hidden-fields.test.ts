import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { usePage } from "../support/form-page";

describe.skipIf(!requirePart("chromium"))("what a person cannot see", () => {
	const { open } = usePage();

	it.each([
		["an input of type hidden", '<input type="hidden" name="token" value="t">'],
		["display: none", '<div style="display:none"><input></div>'],
		["visibility: hidden", '<input style="visibility:hidden">'],
		["no opacity", '<div style="opacity:0"><input></div>'],
		["far left of the page", '<div style="position:absolute;left:-9999px"><input></div>'],
		["far above the page", '<input style="position:absolute;top:-5000px">'],
		["one pixel", '<input style="width:1px;height:1px;border:0;padding:0">'],
		["a box without height", '<div style="height:0;overflow:hidden"><input></div>'],
		[
			"clipped to nothing",
			'<div style="position:absolute;width:1px;height:1px;overflow:hidden"><input></div>',
		],
		[
			"hidden from readers",
			'<div aria-hidden="true"><input tabindex="-1" autocomplete="off"></div>',
		],
		["inert", "<div inert><input></div>"],
		["a closed fold", "<details><summary>More</summary><input></details>"],
	])("is not told: %s", async (_how, html) => {
		const form = await open(`<label>Shown <input></label>${html}`);

		expect(form.labels()).toEqual(["Shown"]);
	});

	it.each([
		[
			"a checkbox drawn by its label",
			'<label><input type="checkbox" style="position:absolute;opacity:0"> <span>Draw</span></label>',
		],
		[
			"a checkbox clipped away beside its label",
			'<input id="c" type="checkbox" style="position:absolute;width:1px;height:1px;clip-path:inset(50%)"><label for="c">Draw</label>',
		],
		[
			"a field in a box that is scrolled away",
			'<div style="height:40px;overflow:auto" id="box"><label>Draw <input></label><div style="height:900px"></div></div><script>box.scrollTop = 800</script>',
		],
		["a field below the fold", '<div style="height:3000px"></div><label>Draw <input></label>'],
		[
			"a field in an element of display: contents",
			'<div style="display:contents"><label>Draw <input></label></div>',
		],
	])("is told all the same: %s", async (_how, html) => {
		const form = await open(html);

		expect(form.labels()).toEqual(["Draw"]);
		const { kind } = form.field("Draw");
		const result = await (kind === "checkbox" ? form.click("Draw") : form.fill("Draw", "x"));
		expect(result.status).toBe("applied");
	});

	it("a field that was hidden since the snapshot is left alone", async () => {
		const form = await open("<label>Name <input></label>");
		await form.page.evaluate('document.querySelector("input").style.display = "none"');

		expect(await form.fill("Name", "x")).toMatchObject({ status: "skipped", code: "hidden" });
		expect(await form.page.inputValue("input")).toBe("");
	});
});
