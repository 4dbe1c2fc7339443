// From the key that sends a message to the first word on the page: the whole of Baton against a bare
// `streamText` route with a mock model. The same built page, the same browser, the same way to the
// server; only who answers `POST /api/chat` differs.
import { fileURLToPath } from "node:url";
import { launchChromium, spawnNode } from "@baton/testkit";
import { startBaton } from "../../../bench/baton-server.mjs";
import { compare, ratioRow } from "../../../bench/measure.mjs";
import { startFront } from "./support/front.mjs";

const MESSAGE = "count to 5";
const MOCK = fileURLToPath(new URL("./support/mock-server.mjs", import.meta.url));

export async function run({ quick }) {
	const baton = await startBaton();
	const mock = spawnNode(MOCK);
	const mockUrl = `http://127.0.0.1:${await mock.waitForLine(() => true)}`;
	const front = await startFront(baton.url);
	const browser = await launchChromium();
	const page = await browser.newPage();
	const measure = (chats) => async () => {
		front.chats = chats;
		await page.goto(front.url);
		await page.locator("form.sheet[data-ready]").waitFor();
		await page.getByText("Tell me about yourself.").waitFor();
		// Nobody types while the page still loads, and the server has that behind it.
		await page.waitForLoadState("networkidle");
		await page.getByRole("textbox", { name: "Message" }).fill(MESSAGE);
		await page.evaluate(watchForFirstToken);
		await page.keyboard.press("Enter");
		return page.evaluate(() => globalThis.firstTokenMs);
	};
	const result = await compare({
		rounds: quick ? 9 : 25,
		warmups: 15,
		ours: measure(baton.url),
		peer: measure(mockUrl),
	});
	await browser.close();
	await front.close();
	await mock.stop();
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

/** Runs in the page: milliseconds from the next key until a word of the reply stands in it. */
function watchForFirstToken() {
	globalThis.firstTokenMs = new Promise((resolve) => {
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
