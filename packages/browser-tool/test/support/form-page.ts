import { launchChromium } from "@baton/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { ActionResult, ExecutionReport, SnapshotField } from "../../src";
import type { Snapshot } from "../../src/dom";
import { bundle } from "./bundle";

const script = bundle("../src/dom/index.ts", { globalName: "browserTool" });

type Asked = Record<string, unknown>;

/** How the person answers, and what an agent says it saw. */
interface ExecuteAs {
	/** What the person says to every question; without it nobody is there to be asked. */
	person?: "yes" | "no" | "silent";
	approvalTimeoutMs?: number;
	root?: string;
	seen?: SnapshotField[];
}

/** A page with a form, and the tools in it. */
export class FormPage {
	/** The fields of the last snapshot. */
	fields: SnapshotField[] = [];

	constructor(readonly page: Page) {}

	/** Puts a form into the page, and the tools, and takes the first snapshot. */
	static async open(page: Page, html: string): Promise<FormPage> {
		await page.setContent(`<!doctype html><title>Form</title><body>${html}</body>`);
		const form = new FormPage(page);
		await form.addTools();
		await form.snapshot();
		return form;
	}

	/** A script of a page stays through another content. */
	async addTools(): Promise<void> {
		if (await this.page.evaluate("window.browserTool !== undefined")) return;
		await this.page.addScriptTag({ content: await script });
	}

	async snapshot(root?: string): Promise<Snapshot> {
		const shot = await this.page.evaluate((selector) => {
			const root = selector ? document.querySelector(selector)! : document;
			return window.browserTool.snapshot({ root });
		}, root);
		this.fields = shot.fields;
		return shot;
	}

	/** The field of the last snapshot with this label. */
	field(label: string): SnapshotField {
		const found = this.fields.find((field) => field.label === label);
		if (found) return found;
		throw new Error(`No "${label}" among ${this.fields.map((field) => `"${field.label}"`)}.`);
	}

	labels(): string[] {
		return this.fields.map(({ label }) => label);
	}

	async execute(actions: Asked[], options: ExecuteAs = {}): Promise<ExecutionReport> {
		return this.page.evaluate(
			async ([actions, { person, root, ...options }]) => {
				const asked: unknown[] = [];
				Object.assign(window, { asked });
				return window.browserTool.execute(actions, {
					...options,
					root: root ? document.querySelector(root)! : document,
					...(person && {
						approve: ({ signal, ...request }) => {
							asked.push(request);
							return person === "silent"
								? new Promise(() => {})
								: Promise.resolve(person === "yes");
						},
					}),
				});
			},
			[actions, options] as const,
		);
	}

	/** One action on the field with this label: its result. */
	async act(label: string, action: Asked, options?: ExecuteAs): Promise<ActionResult> {
		const { fieldId } = this.field(label);
		const report = await this.execute([{ ...action, fieldId }], options);
		return report.results![0]!;
	}

	fill(label: string, value: string): Promise<ActionResult> {
		return this.act(label, { action: "fill", value });
	}

	select(label: string, value: string, values?: string[]): Promise<ActionResult> {
		return this.act(label, { action: "select", value, ...(values && { values }) });
	}

	click(label: string, options?: ExecuteAs): Promise<ActionResult> {
		return this.act(label, { action: "click" }, options);
	}
}

/** One browser and one page for all tests of a file, with a new form in each. */
export function usePage() {
	let browser: Browser;
	let page: Page;
	beforeAll(async () => {
		browser = await launchChromium();
		page = await browser.newPage();
	});
	afterAll(() => browser?.close());
	return {
		open: (html: string) => FormPage.open(page, html),
		/** With a page of its own, for a form that spoils it. */
		openApart: async (html: string) => FormPage.open(await browser.newPage(), html),
	};
}

declare global {
	interface Window {
		browserTool: typeof import("../../src/dom");
	}
}
