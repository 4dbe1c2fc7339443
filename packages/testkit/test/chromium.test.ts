import { describe, expect, it } from "vitest";
import { launchChromium, requirePart } from "../src";

describe.skipIf(!requirePart("chromium"))("launchChromium", () => {
	it("starts the system's browser, which runs pages", async () => {
		const browser = await launchChromium();
		const page = await browser.newPage();
		await page.setContent("<label>Name <input value=Ada></label>");

		expect(await page.getByLabel("Name").inputValue()).toBe("Ada");

		await browser.close();
		expect(browser.isConnected()).toBe(false);
	});
});
