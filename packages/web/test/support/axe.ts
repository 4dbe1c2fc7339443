import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe-core has to say against the page as it is. */
export async function violationsOf(page: Page): Promise<string[]> {
	await page.addScriptTag({ path: AXE });
	return page.evaluate(async () => {
		const { axe } = window as unknown as { axe: typeof import("axe-core") };
		const { violations } = await axe.run(document);
		return violations.flatMap(({ id, nodes }) =>
			nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
		);
	});
}
