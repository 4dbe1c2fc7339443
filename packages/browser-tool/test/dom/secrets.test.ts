import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { usePage } from "../support/form-page";

/* Whatever is secret here has one of these in it; nothing that leaves the page may. */
const CARD = "4111 1111 1111 1111";
const SECRETS = [
	"hunter2-correct",
	"4111 1111 1111 1111",
	"4111111111111111",
	"987",
	"246810",
	"password99",
];

const FIELDS: [what: string, html: string][] = [
	["a password", '<label>Code word <input type="password" value="hunter2-correct"></label>'],
	[
		"a password shown as text",
		'<label>Password <input type="text" value="hunter2-correct"></label>',
	],
	["a name that says so", '<label>Enter it <input name="userPwd" value="hunter2-correct"></label>'],
	[
		"dots drawn by a style",
		'<label>Word <input style="-webkit-text-security: disc" value="hunter2-correct"></label>',
	],
	["Passwort", '<label>Passwort <input value="hunter2-correct"></label>'],
	["mot de passe", '<label>Mot de passe <input value="hunter2-correct"></label>'],
	["パスワード", '<label>パスワード <input value="hunter2-correct"></label>'],
	[
		"a card by autocomplete",
		`<label>Nr <input autocomplete="billing cc-number" value="${CARD}"></label>`,
	],
	["a card by its label", `<label>Card number <input value="${CARD}"></label>`],
	["a card by its name", `<label>Nr <input name="ccNumber" value="${CARD}"></label>`],
	["a card by its digits alone", `<label>Anything <input value="${CARD}"></label>`],
	[
		"a card in the midst of words",
		`<label>Notes <textarea>please charge ${CARD} today</textarea></label>`,
	],
	["a card in a label", `<label>Pay with ${CARD} <input></label>`],
	["a card in an option", `<label>Pay with <select><option>Visa ${CARD}</option></select></label>`],
	["a card in an editor", `<div contenteditable aria-label="Letter">my card is ${CARD}</div>`],
	["a one-time code in an editor", '<div contenteditable aria-label="One-time code">246810</div>'],
	[
		"a PIN in an editor, labelled by the page",
		'<p id="l">Your PIN</p><div contenteditable role="textbox" aria-labelledby="l">246810</div><label>You typed 246810 <input></label>',
	],
	[
		"a password in a hidden editor",
		'<div hidden contenteditable aria-label="Password">hunter2-correct</div><label>Was it hunter2-correct? <input></label>',
	],
	["a security code", '<label>CVC <input value="987"></label>'],
	["a security code by its name", '<label>Three digits <input id="card_cvv" value="987"></label>'],
	[
		"a one-time code",
		'<label>Enter it <input autocomplete="one-time-code" value="246810"></label>',
	],
	["a one-time code by its label", '<label>Verification code <input value="246810"></label>'],
	[
		"a secret beside that is hidden",
		'<div hidden><input type="password" value="hunter2-correct"></div><label>Was it hunter2-correct? <input value="hunter2-correct"></label>',
	],
	[
		"a secret in someone's label",
		'<label>Say <input type="password" value="hunter2-correct"> again <input id="x"></label><label for="x">Again</label>',
	],
	[
		"a short secret in someone's label",
		'<label for="t"><input aria-label="CVC" value="987"> is right</label><input id="t" type="checkbox">',
	],
	[
		"a secret in a label that it begins like",
		'<label>Password <input type="password" value="password99"></label><label>You typed password99 <input></label>',
	],
	[
		"a secret in a description",
		'<p id="d">You typed hunter2-correct</p><label>Password <input aria-describedby="d" value="hunter2-correct"></label>',
	],
];

describe.skipIf(!requirePart("chromium"))("secrets stay in the page", () => {
	const { open } = usePage();

	it.each(FIELDS)("%s", async (_what, html) => {
		const form = await open(`<form>${html}<button type="button">Next</button></form>`);

		const bytes = JSON.stringify(await form.snapshot());

		for (const secret of SECRETS) expect(bytes).not.toContain(secret);
		expect(form.fields.length).toBeGreaterThan(1);
	});

	it.each(["text", "email", "password", "application"])(
		"a field is still known for what it is when the password is %s",
		async (word) => {
			const form =
				await open(`<label>Password <input name="password" type="password" value="${word}"></label>
				<label>Email <input id="email" type="email" name="email" value="me@example.org"></label>
				<label>Application <textarea>my word is ${word}</textarea></label>`);

			const [password, email, application] = form.fields;

			expect(password).toMatchObject({
				kind: "text",
				inputType: "password",
				name: "password",
				label: "Password",
				currentValue: "",
			});
			expect(email).toMatchObject({
				kind: "text",
				inputType: "email",
				name: "email",
				selector: "#email",
				label: "Email",
			});
			expect(application).toMatchObject({ kind: "textarea", currentValue: "my word is ••••" });
		},
	);

	it("a report is in its own words, whatever the password is", async () => {
		const form = await open(`<label>Password <input type="password" value="applied"></label>
			<label>Name <input></label>`);
		const { fieldId } = form.field("Name");

		const { results } = await form.execute([{ action: "fill", fieldId, value: "it is applied" }]);

		expect(results).toEqual([
			expect.objectContaining({ action: "fill", status: "applied", value: "it is ••••" }),
		]);
	});

	it("it is told that there is something, or nothing", async () => {
		const form = await open(`<label>Password <input value="hunter2-correct"></label>
			<label>CVC <input></label><label>Name <input value="Ada"></label>`);

		expect(form.field("Password")).toMatchObject({ filled: true, currentValue: "" });
		expect(form.field("CVC")).toMatchObject({ filled: false, currentValue: "" });
		expect(form.field("Name").filled).toBeUndefined();
	});

	it("a card number typed into four boxes", async () => {
		const parts = ["4111", "1111", "1111", "1111"];
		const form = await open(
			parts
				.map((part, i) => `<label>Part ${i} <input maxlength="4" value="${part}"></label>`)
				.join(""),
		);

		expect(form.fields.map(({ currentValue }) => currentValue)).toEqual(["", "", "", ""]);
		expect(JSON.stringify(form.fields)).not.toMatch(/1111/);
	});

	it("a one-time code typed into six boxes", async () => {
		const boxes = [..."246810"].map(
			(digit) => `<span><input maxlength="1" aria-label="Digit" value="${digit}"></span>`,
		);
		const form = await open(`<div>${boxes.join("")}</div>`);

		expect(form.fields).toHaveLength(6);
		for (const field of form.fields)
			expect(field).toMatchObject({ filled: true, currentValue: "" });
	});

	it("a password stays one when a button shows it", async () => {
		const form = await open('<label>It <input type="password" value="hunter2-correct"></label>');
		await form.page.evaluate('document.querySelector("input").type = "text"');

		expect(JSON.stringify(await form.snapshot())).not.toContain("hunter2-correct");
	});

	it("what an action reports of a secret is not its value, nor what the page says about it", async () => {
		const form =
			await open(`<label>Password <input oninput="setCustomValidity('not ' + value)"></label>
			<label>Name <input oninput="setCustomValidity('not hunter2-correct')"></label>`);
		const named = (label: string) => form.field(label).fieldId;

		const report = await form.execute([
			{ action: "fill", fieldId: named("Password"), value: "hunter2-correct" },
			{ action: "fill", fieldId: named("Name"), value: "Ada" },
			{ action: "fill", fieldId: named("Name"), value: CARD },
		]);

		expect(report.applied).toBe(3);
		const bytes = JSON.stringify(report);
		for (const secret of SECRETS) expect(bytes).not.toContain(secret);
		expect(report.results![1]).toMatchObject({ value: expect.any(String) });
	});

	it("what is only a little like a secret is told", async () => {
		const harmless = [
			"Passport number",
			"Passenger",
			"Compass",
			"Postcode",
			"Order number",
			"Opinion",
			"Card type",
			"Discard",
		];
		const form = await open(
			harmless.map((label) => `<label>${label} <input value="12345"></label>`).join(""),
		);

		expect(form.fields.map(({ label, currentValue }) => `${label}: ${currentValue}`)).toEqual(
			harmless.map((label) => `${label}: 12345`),
		);
	});
});
