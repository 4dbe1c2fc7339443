import * as z from "zod";
import type { FormAction, FormMatch, SkipReason } from "./match-fields";
import type { SnapshotField } from "./snapshot-field";

const reportSchema = z.looseObject({
	applied: z.number().optional(),
	warnings: z.array(z.string()).catch([]),
	results: z
		.array(
			z.looseObject({
				status: z.string(),
				code: z.string().optional(),
				message: z.string().optional(),
				validationMessage: z.string().optional(),
			}),
		)
		.optional()
		.catch(undefined),
});

const WHY: Record<SkipReason, string> = {
	secret: "it is a secret, and those I leave to you",
	locked: "it cannot be changed",
	file: "files are yours to choose",
	not_said: "you did not say it",
	as_wished: "it is already as you want it",
};

type Report = z.infer<typeof reportSchema>;

/** The reports on actions that were asked for one after the other, as one. */
export function joinReports(rawReports: readonly unknown[]): Report {
	const reports = rawReports.map((report) => reportSchema.parse(report));
	const results = reports.flatMap((report) => report.results ?? []);
	return {
		applied: reports.reduce((sum, { applied = 0 }) => sum + applied, 0),
		warnings: reports.flatMap(({ warnings }) => warnings),
		...(reports.every((report) => report.results) && { results }),
	};
}

/** What was done with the form, in words: as Markdown, since most who read it show that. */
export function describeReport(match: FormMatch, report: Report): string {
	const outcomes = match.actions.map(({ action, field }, index) => {
		const result = report.results?.[index];
		const problem = result?.message ?? result?.code ?? result?.validationMessage;
		return { action, field, problem, done: (result?.status ?? "applied") === "applied" };
	});
	const done = outcomes.filter((outcome) => outcome.done);
	const undone = outcomes.filter((outcome) => !outcome.done);
	const count = report.results ? done.length : (report.applied ?? done.length);
	const lines = [
		`I did ${count} of ${outcomes.length} ${outcomes.length === 1 ? "step" : "steps"}:`,
		"",
	];
	for (const { action, field } of done) lines.push(`- ${describeAction(action, field)}`);
	for (const { field, problem } of undone) {
		lines.push(`- not ${quote(field)}: ${problem ?? "the page did not do it"}`);
	}
	for (const warning of report.warnings) lines.push(`- the page says: ${warning}`);
	return [lines.join("\n"), ...describeSkipped(match)].join("\n\n");
}

/** What was left alone, and why. Fields that nobody asked for and nobody named are not worth a word. */
export function describeSkipped({ skipped }: FormMatch): string[] {
	const told = skipped.filter(({ field, reason }) => reason !== "not_said" || field.required);
	if (told.length === 0) return [];
	const lines = told.map(({ field, reason }) => `- ${quote(field)}: ${WHY[reason]}`);
	return [["I left alone:", "", ...lines].join("\n")];
}

function describeAction(action: FormAction, field: SnapshotField): string {
	if (action.action === "fill") return `${quote(field)} is now “${action.value}”`;
	if (action.action === "select") return `${quote(field)}: chose “${action.value}”`;
	if (field.kind === "button") return `pressed ${quote(field)}`;
	return `${quote(field)} is now ${field.currentValue === true ? "off" : "on"}`;
}

function quote({ label, name, fieldId }: SnapshotField): string {
	return `“${(label || name || fieldId).trim()}”`;
}
