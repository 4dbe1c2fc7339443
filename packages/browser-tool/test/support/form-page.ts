import type { Browser, Page } from "playwright-core";
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

	static async open(browser: Browser, html: string): Promise<FormPage> {
		const page = await browser.newPage();
		const form = new FormPage(page);
		await page.setContent(`<!doctype html><body>${html}</body>`);
		await form.addTools();
		return form;
	}

	async addTools(): Promise<void> {
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

declare global {
	interface Window {
		browserTool: typeof import("../../src/dom");
	}
}
