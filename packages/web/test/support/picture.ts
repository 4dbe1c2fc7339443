import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const ARTEFACTS = fileURLToPath(new URL("../../test-artifacts/", import.meta.url));

/** Keeps a picture for people to look at. */
export async function keepPicture(page: Page, name: string): Promise<void> {
	mkdirSync(ARTEFACTS, { recursive: true });
	await page.screenshot({ path: `${ARTEFACTS}${name}.png`, animations: "disabled" });
}
