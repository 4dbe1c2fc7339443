import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import type { FormPage } from "../support/form-page";
import { usePage } from "../support/form-page";

const FORM = (
	button: string,
) => `<form action="/apply?to=them" onsubmit="event.preventDefault(); sent.push(Object.fromEntries(new FormData(this)))">
	<label>Name <input name="name"></label><label>Key <input type="password" name="key" value="hush-hush"></label>
	<label><input type="checkbox" name="terms"> Terms</label>${button}</form>
	<label>Elsewhere <input value="not sent"></label><script>sent = []</script>`;

describe.skipIf(!requirePart("chromium"))("before a form is sent", () => {
	const { open } = usePage();
	const sent = ({ page }: FormPage) => page.evaluate("sent");
	const asked = ({ page }: FormPage) => page.evaluate("asked");

	it.each([
		["a button", "<button>Go on</button>", "Go on"],
		["an input", '<input type="submit" value="Go on">', "Go on"],
		["a picture", '<input type="image" alt="Go on">', "Go on"],
		[
			"a button that says what it does",
			'<button type="button" onclick="form.requestSubmit()">Submit</button>',
			"Submit",
		],
		[
			"a button of its own making",
			'<div role="button" tabindex="0" onclick="closest(`form`).requestSubmit()">Send now</div>',
			"Send now",
		],
	])("the person is asked, with the values that will go: %s", async (_how, button, label) => {
		const form = await open(FORM(button));
		expect(form.field(label).submits).toBe(true);
		await form.fill("Name", "Ada");

		expect(await form.click(label)).toMatchObject({ status: "skipped", code: "needs-approval" });
		expect(await sent(form)).toEqual([]);
		expect(await form.click(label, { person: "yes" })).toMatchObject({ status: "applied" });

		expect(await asked(form)).toMatchObject([
			{
				label,
				destination: expect.stringContaining("apply?to=them"),
				values: [
					{ label: "Name", value: "Ada" },
					{ label: "Key", value: "••••" },
					{ label: "Terms", value: false },
				],
			},
		]);
		expect(await sent(form)).toMatchObject([{ name: "Ada" }]);
	});

	it("a no is told to the agent, and what comes after is left out", async () => {
		const form = await open(FORM("<button>Go on</button>"));
		const named = (label: string) => form.field(label).fieldId;

		const report = await form.execute(
			[
				{ action: "fill", fieldId: named("Name"), value: "Ada" },
				{ action: "click", fieldId: named("Go on") },
				{ action: "click", fieldId: named("Terms") },
			],
			{ person: "no" },
		);

		expect(report).toMatchObject({
			applied: 1,
			skipped: 2,
			warnings: ["Go on: The person said no.", expect.stringContaining("no before")],
			results: [{ status: "applied" }, { code: "denied" }, { code: "denied" }],
		});
		expect(await sent(form)).toEqual([]);
		expect(await form.page.isChecked("[name=terms]")).toBe(false);
	});

	it("a question that nobody answers ends by itself", async () => {
		const form = await open(FORM("<button>Go on</button>"));

		const result = await form.click("Go on", { person: "silent", approvalTimeoutMs: 50 });

		expect(result).toMatchObject({
			code: "needs-approval",
			message: expect.stringContaining("in time"),
		});
		expect(await sent(form)).toEqual([]);
	});

	it("a question can be taken back", async () => {
		const form = await open(FORM("<button>Go on</button>"));

		const report = await form.page.evaluate(async (fieldId) => {
			const stop = new AbortController();
			const asking = window.browserTool.execute([{ action: "click", fieldId }], {
				signal: stop.signal,
				approve: () => {
					setTimeout(() => stop.abort(), 20);
					return new Promise(() => {});
				},
			});
			return asking;
		}, form.field("Go on").fieldId);

		expect(report.results).toMatchObject([{ code: "denied" }]);
		expect(await sent(form)).toEqual([]);
	});

	it("a button that goes away while the person thinks is not clicked", async () => {
		const form = await open(FORM("<button>Go on</button>"));

		const report = await form.page.evaluate(async (fieldId) => {
			return window.browserTool.execute([{ action: "click", fieldId }], {
				approve: async () => {
					document.querySelector("button")!.textContent = "Delete all";
					return true;
				},
			});
		}, form.field("Go on").fieldId);

		expect(report.results).toMatchObject([{ code: "stale" }]);
		expect(await sent(form)).toEqual([]);
	});

	it.each([
		[
			"a harmless button",
			'<button type="button" onclick="form.requestSubmit()">Next</button>',
			"click",
			"Next",
		],
		[
			"a change of a field",
			'<label>Sort <input onchange="form.requestSubmit()"></label>',
			"fill",
			"Sort",
		],
	])("%s that sends the form is kept from it", async (_how, part, action, label) => {
		const form = await open(FORM(part));

		const result = await form.act(label, { action, value: "x" }, { person: "yes" });

		expect(result).toMatchObject({ status: "failed", code: "needs-approval" });
		expect(await sent(form)).toEqual([]);
	});

	it("a form in a shadow tree is kept from being sent too", async () => {
		const form = await open('<div id="host"></div><script>sent = []</script>');
		await form.page.evaluate(() => {
			const root = document.querySelector("#host")!.attachShadow({ mode: "open" });
			root.innerHTML = '<form><button type="button">Next</button></form>';
			const inner = root.querySelector("form")!;
			inner.addEventListener("submit", (event) => {
				event.preventDefault();
				(window as unknown as { sent: unknown[] }).sent.push("sent");
			});
			root.querySelector("button")!.onclick = () => inner.requestSubmit();
		});
		await form.snapshot();

		expect(await form.click("Next", { person: "yes" })).toMatchObject({ code: "needs-approval" });
		expect(await sent(form)).toEqual([]);
	});
});
