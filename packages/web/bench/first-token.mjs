// From the key that sends a message to the first word on the page: the whole of Baton against a bare
// `streamText` route with a mock model. The same built page, the same browser, the same way to the
// server; only who answers `POST /api/chat` differs.
import { launchChromium } from "@baton/testkit";
import { startBaton } from "../../../bench/baton-server.mjs";
import { compare, ratioRow } from "../../../bench/measure.mjs";
import { startFront } from "./support/front.mjs";

const MESSAGE = "count to 5";

export async function run({ quick }) {
	const baton = await startBaton();
	const front = await startFront(baton.url);
	const browser = await launchChromium();
	const page = await browser.newPage();
	const measure = (answers) => async () => {
		front.answers = answers;
		await page.goto(front.url);
		await page.locator("form.sheet[data-ready]").waitFor();
		await page.getByText("Tell me about yourself.").waitFor();
		await page.getByRole("textbox", { name: "Message" }).fill(MESSAGE);
		const firstMs = page.evaluate(firstToken);
		await page.keyboard.press("Enter");
		return firstMs;
	};
	const result = await compare({
		rounds: quick ? 9 : 25,
		warmups: 4,
		ours: measure("baton"),
		peer: measure("mock"),
	});
	await browser.close();
	await front.close();
	await baton.stop();
	return [
		ratioRow(
			{
				work: "Keypress to the first token on the page",
				measure: "time ÷ a bare streamText route with a mock model",
				reach: 1.3,
			},
			result,
		),
	];
}

/** Runs in the page: milliseconds from the next Enter until a word of the reply is drawn. */
function firstToken() {
	return new Promise((resolve) => {
		let pressed = 0;
		addEventListener(
			"keydown",
			() => {
				pressed = performance.now();
			},
			{ capture: true, once: true },
		);
		const observer = new MutationObserver(() => {
			const words = document.querySelector(".message.assistant .markdown");
			if (!words?.textContent) return;
			observer.disconnect();
			resolve(performance.now() - pressed);
		});
		observer.observe(document.body, { childList: true, subtree: true, characterData: true });
	});
}
