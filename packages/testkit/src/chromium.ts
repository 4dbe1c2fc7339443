import type { Browser, LaunchOptions } from "playwright-core";
import { findBinary } from "./parts";

/**
 * A headless Chromium, the system's own. One for a file of tests, with a context or page per test, is
 * quick; whoever launched it closes it. It ends with this process too.
 */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
	const executablePath = findBinary("chromium");
	if (!executablePath) throw new Error("chromium is not on PATH.");
	// Loaded here, since most tests that use this package need no browser.
	const { chromium } = await import("playwright-core");
	return chromium.launch({
		executablePath,
		...options,
		args: [
			// Root has no sandbox to use, and containers give /dev/shm little room.
			"--no-sandbox",
			"--disable-dev-shm-usage",
			"--disable-gpu",
			...(options.args ?? []),
		],
	});
}
