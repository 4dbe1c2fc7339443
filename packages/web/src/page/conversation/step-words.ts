import type { ChatMessage } from "../../chat/chat-message";

type Part = ChatMessage["parts"][number];
export type StepPart = Extract<Part, { toolCallId: string }>;

/** The page's own tools, under any name that an agent gives them. */
const PAGE_TOOL = /(?:getFormSnapshot|executeFormActions)$/;

/** An agent that asks the page through a tool of its own shows the same step twice: once is enough. */
export function isShownStep(part: Part): part is StepPart {
	if (part.type === "dynamic-tool") return !PAGE_TOOL.test(part.toolName);
	return part.type.startsWith("tool-");
}

interface StepWords {
	title: string;
	/** One line each, for who wants to know more. */
	details: { text: string; isBad?: boolean }[];
	state: "running" | "done" | "failed";
}

interface ActionResult {
	fieldId: string;
	status: string;
	message?: string;
	value?: string | boolean;
}

/** A step of the agent in words. */
export function wordsOf(part: StepPart): StepWords {
	const state =
		part.state === "output-available"
			? "done"
			: part.state === "output-error"
				? "failed"
				: "running";
	const failure = part.state === "output-error" ? [{ text: part.errorText, isBad: true }] : [];
	switch (part.type) {
		case "tool-getFormSnapshot": {
			const fields = part.state === "output-available" ? part.output.fields.length : 0;
			const title = state === "done" ? `Read the form · ${fields} fields` : "Reading the form";
			return {
				title: state === "failed" ? "Could not read the form" : title,
				details: failure,
				state,
			};
		}
		case "tool-executeFormActions":
			return { ...actionWords(part), state, ...(failure.length > 0 && { details: failure }) };
		default: {
			const name = part.toolName;
			return {
				title: state === "running" ? `Using ${name}` : `Used ${name}`,
				details: failure,
				state,
			};
		}
	}
}

function actionWords(part: Extract<StepPart, { type: "tool-executeFormActions" }>) {
	if (part.state === "output-error") return { title: "Could not act on the form", details: [] };
	const asked = part.input?.actions?.length ?? 0;
	const button = buttonIn(part.input);
	const steps = (count: number) => `${count} ${count === 1 ? "field" : "fields"}`;
	if (part.state !== "output-available") {
		const title = button ? `Press “${button}”?` : `Filling in the form · ${steps(asked)}`;
		return { title, details: [] };
	}
	const { applied, results } = part.output.report as { applied: number; results?: ActionResult[] };
	const labels = labelsIn(part.input.fields);
	const details = (results ?? []).map(({ fieldId, status, message, value }) => {
		const label = labels.get(fieldId) ?? fieldId;
		if (status !== "applied") return { text: `${label}: ${message ?? status}`, isBad: true };
		return { text: value === undefined ? label : `${label}: ${shown(value)}` };
	});
	const rest = asked - applied;
	if (button) return { title: `${rest > 0 ? "Did not press" : "Pressed"} “${button}”`, details };
	const title = `Filled in ${steps(applied)}${rest > 0 ? ` · ${rest} not done` : ""}`;
	return { title, details };
}

/** The name of the button, when pressing one that sends the form is all that is asked. */
function buttonIn(input: { actions?: unknown; fields?: unknown } | undefined): string | null {
	const actions = (Array.isArray(input?.actions) ? input.actions : []) as { fieldId?: unknown }[];
	const fields = (Array.isArray(input?.fields) ? input.fields : []) as Record<string, unknown>[];
	const field = fields.find(({ fieldId }) => fieldId === actions[0]?.fieldId);
	return actions.length === 1 && field?.submits === true ? String(field.label) : null;
}

function labelsIn(fields: unknown): Map<string, string> {
	const known = Array.isArray(fields) ? (fields as Record<string, unknown>[]) : [];
	return new Map(known.map(({ fieldId, label }) => [String(fieldId), String(label || fieldId)]));
}

function shown(value: string | boolean): string {
	if (typeof value === "boolean") return value ? "on" : "off";
	return value === "" ? "empty" : value;
}
