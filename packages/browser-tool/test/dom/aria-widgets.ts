/* Widgets as the ARIA Authoring Practices describe them, each a small script of its own. */

const COUNTRIES = '["Norway", "Japan", "Kenya", "New Zealand"]';

/** Typed into, with a list that opens on keys and is filled a moment later, as from a server. */
export const EDITABLE_COMBOBOX = `
<label for="c">Country</label>
<input id="c" role="combobox" aria-expanded="false" aria-controls="cl" aria-autocomplete="list">
<ul id="cl" role="listbox" hidden></ul>
<script>{
	const [input, list] = [c, cl];
	let typed = false;
	let coming;
	const close = () => { clearTimeout(coming); list.hidden = true; input.ariaExpanded = "false"; };
	input.addEventListener("keydown", (event) => {
		typed = true;
		if (event.key === "Escape") close();
	});
	input.addEventListener("input", () => {
		if (!typed) return;
		clearTimeout(coming);
		coming = setTimeout(() => {
			const found = ${COUNTRIES}.filter((one) => one.toLowerCase().startsWith(input.value.toLowerCase()));
			list.innerHTML = found.map((one) => '<li role="option" aria-selected="false">' + one + "</li>").join("");
			list.hidden = found.length === 0;
			input.ariaExpanded = String(found.length > 0);
		}, 60);
	});
	list.addEventListener("mousedown", (event) => event.preventDefault());
	list.addEventListener("click", (event) => {
		input.value = event.target.textContent;
		input.dataset.chosen = event.target.textContent;
		close();
	});
	input.addEventListener("blur", () => { if (!input.dataset.free) input.value = input.dataset.chosen ?? ""; close(); });
}</script>`;

/** A button-like element that shows its choice; its list is elsewhere in the page, made when it opens. */
export const SELECT_ONLY_COMBOBOX = `
<span id="sn">Fruit</span>
<div id="s" role="combobox" tabindex="0" aria-labelledby="sn" aria-expanded="false" aria-haspopup="listbox">Choose</div>
<script>{
	const box = s;
	const open = () => {
		if (box.ariaExpanded === "true") return;
		const list = document.createElement("div");
		list.id = "sl";
		list.role = "listbox";
		list.innerHTML = ["Apple", "Pear", "Plum"].map((one, i) =>
			'<div role="option" aria-selected="' + (box.textContent === one) + '" aria-disabled="' + (i === 2) + '">' + one + "</div>").join("");
		list.addEventListener("pointerup", (event) => {
			box.textContent = event.target.textContent;
			close();
		});
		document.body.append(list);
		box.setAttribute("aria-controls", "sl");
		box.ariaExpanded = "true";
	};
	const close = () => { document.querySelector("#sl")?.remove(); box.ariaExpanded = "false"; };
	box.addEventListener("mousedown", open);
	box.addEventListener("keydown", ({ key }) => key === "Escape" ? close() : key === "ArrowDown" && open());
}</script>`;

export const LISTBOX = `
<span id="ln">Colour</span>
<ul id="l" role="listbox" tabindex="0" aria-labelledby="ln">
	<li role="option" aria-selected="true">Red</li><li role="option" aria-selected="false">Green</li>
	<li role="option" aria-disabled="true">Blue</li></ul>
<ul id="m" role="listbox" tabindex="0" aria-label="Extras" aria-multiselectable="true">
	<li role="option" aria-selected="true">Nuts</li><li role="option" aria-selected="false">Milk</li>
	<li role="option" aria-selected="false">Cream</li></ul>
<script>
	l.addEventListener("click", ({ target }) => {
		for (const one of l.children) one.ariaSelected = String(one === target);
	});
	m.addEventListener("click", ({ target }) => { target.ariaSelected = String(target.ariaSelected !== "true"); });
</script>`;

/** Steps of 5; knows Home and End, but neither Page Up nor a click. */
export const SLIDER = `
<div id="sl" role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="100" aria-valuenow="50"></div>
<script>
	sl.addEventListener("keydown", ({ key }) => {
		const now = Number(sl.ariaValueNow);
		const next = { ArrowRight: now + 5, ArrowUp: now + 5, ArrowLeft: now - 5, ArrowDown: now - 5, Home: 0, End: 100 }[key];
		if (next !== undefined) { sl.ariaValueNow = String(Math.min(100, Math.max(0, next))); keys = (window.keys ?? 0) + 1; }
	});
</script><style>#sl { width: 100px; height: 20px; }</style>`;

export const SPINBUTTON = `
<div id="sp" role="spinbutton" tabindex="0" aria-label="Guests" aria-valuemin="1" aria-valuemax="9" aria-valuenow="2">2</div>
<label>Nights <input id="si" role="spinbutton" aria-valuenow="1" value="1" inputmode="numeric"></label>
<script>
	sp.addEventListener("keydown", ({ key }) => {
		const step = { ArrowUp: 1, ArrowDown: -1 }[key] ?? 0;
		sp.ariaValueNow = sp.textContent = String(Math.min(9, Math.max(1, Number(sp.ariaValueNow) + step)));
	});
</script>`;

export const TOGGLES = `
<button id="sw" type="button" role="switch" aria-checked="false">News</button>
<label><input id="ns" type="checkbox" role="switch"> Dark</label>
<div id="cb" role="checkbox" tabindex="0" aria-checked="true" aria-labelledby="cbn"></div><span id="cbn">Gift</span>
<div id="rg" role="radiogroup" aria-label="Seat" aria-required="true">
	<div role="radio" tabindex="0" aria-checked="true">Aisle</div>
	<div role="radio" tabindex="-1" aria-checked="false">Window</div>
	<div role="radio" tabindex="-1" aria-checked="false" aria-disabled="true">Roof</div></div>
<script>
	for (const one of [sw, cb]) one.addEventListener("click", () => { one.ariaChecked = String(one.ariaChecked !== "true"); });
	rg.addEventListener("click", ({ target }) => {
		for (const one of rg.children) one.ariaChecked = String(one === target);
	});
</script><style>#cb { width: 16px; height: 16px; display: inline-block; border: 1px solid; }</style>`;

/** As before the role was given to such buttons. */
export const LISTBOX_BUTTON = `
<span id="bn">Plan</span>
<button id="b" type="button" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="bn b" aria-controls="bl">Free</button>
<ul id="bl" role="listbox" hidden><li role="option" aria-selected="true">Free</li><li role="option" aria-selected="false">Team</li></ul>
<script>
	b.addEventListener("click", () => { bl.hidden = !bl.hidden; b.ariaExpanded = String(!bl.hidden); });
	bl.addEventListener("click", ({ target }) => {
		for (const one of bl.children) one.ariaSelected = String(one === target);
		b.textContent = target.textContent; bl.hidden = true; b.ariaExpanded = "false";
	});
</script>`;
