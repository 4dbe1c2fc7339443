// A snapshot of a form of 1,000 fields, against Playwright's `ariaSnapshot` of the same page. Both run
// in the page and come to this process as text: the one as JSON, the other as YAML.
import { fileURLToPath } from "node:url";
import { launchChromium } from "@baton/testkit";
import { build } from "esbuild";
import { compare, ratioRow } from "../../../bench/measure.mjs";
import { largeForm } from "./support/large-form.mjs";

const FIELDS = 1_000;

export async function run({ quick }) {
	const browser = await launchChromium();
	try {
		const page = await browser.newPage();
		await page.setContent(largeForm(FIELDS));
		await page.addScriptTag({ content: await tools() });
		const body = page.locator("body");
		const result = await compare({
			rounds: quick ? 7 : 25,
			warmups: 3,
			ours: () => timed(() => page.evaluate("JSON.stringify(browserTool.snapshot())"), countFields),
			peer: () => timed(() => body.ariaSnapshot(), countNodes),
		});
		const work = `snapshot of ${FIELDS.toLocaleString("en")} fields`;
		return [ratioRow({ work, measure: "time ÷ Playwright's ariaSnapshot", reach: 1 }, result)];
	} finally {
		await browser.close();
	}
}

const countFields = (json) => JSON.parse(json).fields.length;
const countNodes = (yaml) => yaml.match(/^ *- (?!group)\w+ "/gm).length;

async function timed(work, count) {
	const start = performance.now();
	const done = await work();
	const ms = performance.now() - start;
	if (count(done) < FIELDS) throw new Error(`Only ${count(done)} fields came.`);
	return ms;
}

async function tools() {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("../dist/dom/index.js", import.meta.url))],
		bundle: true,
		write: false,
		format: "iife",
		globalName: "browserTool",
	});
	return outputFiles[0].text;
}
