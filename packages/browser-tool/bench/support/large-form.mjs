/** A form of the usual kinds of fields, in sections, with labels, hints and legends. */
export function largeForm(fields) {
	const kinds = [
		(n) =>
			`<label for="f${n}">Name ${n}</label><input id="f${n}" name="name${n}" value="Ada ${n}">`,
		(n) =>
			`<label>Email ${n} <input type="email" name="email${n}" required aria-describedby="h${n}"></label><small id="h${n}">Hint ${n}</small>`,
		(n) => `<label>About ${n} <textarea name="about${n}">Text ${n}</textarea></label>`,
		(n) =>
			`<label>Country ${n} <select name="country${n}"><option>Norway</option><option selected>Japan</option><option>Kenya</option></select></label>`,
		(n) => `<label><input type="checkbox" name="box${n}" checked> Box ${n}</label>`,
		(n) => `<label>Date ${n} <input type="date" name="date${n}" value="2026-03-01"></label>`,
		(n) => `<label>Number ${n} <input type="number" name="number${n}" min="0" max="9"></label>`,
		(n) => `<input name="aria${n}" aria-label="Plain ${n}" placeholder="Something">`,
		(n) => `<div role="slider" tabindex="0" aria-label="Slider ${n}" aria-valuenow="3">3</div>`,
		(n) => `<button type="button">Button ${n}</button>`,
	];
	const rows = Array.from({ length: fields }, (_, n) => `<p>${kinds[n % kinds.length](n)}</p>`);
	const sections = Array.from({ length: fields / 20 }, (_, n) => {
		const inside = rows.slice(n * 20, n * 20 + 20).join("\n");
		return `<fieldset><legend>Section ${n}</legend><div><div>${inside}</div></div></fieldset>`;
	});
	return `<!doctype html><title>Form</title><main><form>${sections.join("\n")}</form></main>`;
}
