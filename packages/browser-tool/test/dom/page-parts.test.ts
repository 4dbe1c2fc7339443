import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { usePage } from "../support/form-page";

const SHADOW = `<script>
	customElements.get("open-field") ?? customElements.define("open-field", class extends HTMLElement {
		constructor() {
			super();
			this.attachShadow({ mode: "open" }).innerHTML =
				'<label for="i">Inside</label><input id="i"><p id="hint">Deep down</p><input aria-label="Hinted" aria-describedby="hint"><fieldset><legend>Slotted</legend><slot></slot></fieldset>';
		}
	});
	customElements.get("closed-field") ?? customElements.define("closed-field", class extends HTMLElement {
		constructor() {
			super();
			this.attachShadow({ mode: "closed" }).innerHTML = "<input value='unseen'>";
		}
	});
</script>`;

describe.skipIf(!requirePart("chromium"))("parts of a page", () => {
	const { open } = usePage();

	it("open shadow roots and slots are seen in their place, and filled", async () => {
		const form = await open(`${SHADOW}<label>Before <input></label>
			<open-field><label>Light <input></label></open-field><label>After <input></label>`);

		expect(form.labels()).toEqual(["Before", "Inside", "Hinted", "Light", "After"]);
		expect(form.field("Hinted").description).toBe("Deep down");
		expect(form.field("Light").legends).toEqual(["Slotted"]);
		expect(await form.fill("Inside", "x")).toMatchObject({ status: "applied", value: "x" });
		expect(await form.fill("Light", "y")).toMatchObject({ status: "applied", value: "y" });
	});

	it("a closed shadow root is told as something that cannot be looked into", async () => {
		const form = await open(
			`${SHADOW}<closed-field style="display: block; height: 30px"></closed-field>`,
		);

		const shot = await form.snapshot();

		expect(shot.fields).toEqual([]);
		expect(shot.opaque).toEqual([{ reason: "closed-shadow-root", label: "closed-field" }]);
	});

	it("a frame of the same origin is seen and filled, with what is in its own realm", async () => {
		const form = await open('<iframe title="Inner"></iframe>');
		await form.page.evaluate(() => {
			const inner = document.querySelector("iframe")!.contentDocument!;
			inner.body.innerHTML = `<form><label>Name <input oninput="this.dataset.seen = this.value"></label>
				<label>Pick <select><option>a<option>b</select></label><label><input type=checkbox> Box</label></form>`;
		});
		await form.snapshot();

		expect(form.labels()).toEqual(["Name", "Pick", "Box"]);
		expect(await form.fill("Name", "Ada")).toMatchObject({ status: "applied", value: "Ada" });
		expect(await form.select("Pick", "b")).toMatchObject({ status: "applied", value: "b" });
		expect(await form.click("Box")).toMatchObject({ status: "applied", value: true });
		const seen = await form.page
			.frameLocator("iframe")
			.locator("input")
			.first()
			.getAttribute("data-seen");
		expect(seen).toBe("Ada");
	});

	it("a frame of another origin is told as something that cannot be looked into", async () => {
		const form = await open(
			`<iframe title="Payment" sandbox srcdoc="<input aria-label=Card value=4111111111111111>"></iframe>`,
		);

		const shot = await form.snapshot();

		expect(shot.fields).toEqual([]);
		expect(shot.opaque).toEqual([{ reason: "cross-origin-frame", label: "Payment" }]);
	});

	it("a root bounds what is seen and what is touched", async () => {
		const form = await open(`<div id="in"><label>In <input></label></div>
			<div id="out"><label>Out <input></label></div>`);
		await form.snapshot();
		const outside = form.field("Out").fieldId;
		await form.snapshot("#in");

		expect(form.labels()).toEqual(["In"]);
		const report = await form.execute([{ action: "fill", fieldId: outside, value: "x" }], {
			root: "#in",
		});
		expect(report.results).toMatchObject([{ status: "skipped", code: "stale" }]);

		await form.page.evaluate(
			'document.querySelector("#out").append(document.querySelector("#in label"))',
		);
		expect(await form.act("In", { action: "fill", value: "x" }, { root: "#in" })).toMatchObject({
			code: "outside-root",
		});
		expect(
			await form.page.evaluate("[...document.querySelectorAll('input')].map((one) => one.value)"),
		).toEqual(["", ""]);
	});

	it("what is marked as ignored is neither seen nor touched", async () => {
		const form = await open(`<label>Seen <input></label>
			<section data-browser-tool="ignore"><label>Message <input></label><button>Accept</button></section>`);
		expect(form.labels()).toEqual(["Seen"]);

		await form.page.evaluate('document.querySelector("label").dataset.browserTool = "ignore"');
		expect(await form.fill("Seen", "x")).toMatchObject({ code: "outside-root" });
	});
});
