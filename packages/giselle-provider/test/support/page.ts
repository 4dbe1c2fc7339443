import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { checkStream } from "../../src/testing";

export type Part = LanguageModelV3StreamPart | { type: "refused"; code: string; message: string };

const FIELDS = ["Full name", "E-mail"].map((label) => ({
	fieldId: label,
	selector: `[name="${label}"]`,
	kind: "text",
	label,
	required: true,
	currentValue: "",
}));

/** What a page's tools return. Each call is counted: a tool must not run twice. */
export function runTool(toolName: string): object {
	if (toolName === "getFormSnapshot") return { fields: FIELDS };
	return { report: { applied: 2, skipped: 0, warnings: [] } };
}

interface Leg {
	parts: Part[];
	/** Whether the stream came to its own end. */
	isWhole: boolean;
}

/** One request to an instance; `onPart` sees each part as it comes. */
export async function request(
	url: string,
	body: { prompt: LanguageModelV3Prompt; giselle: Record<string, string | boolean> },
	onPart: (part: Part, index: number) => void = () => {},
): Promise<Leg> {
	const parts: Part[] = [];
	try {
		const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
		let rest = "";
		for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
			const lines = (rest + text).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) {
				parts.push(JSON.parse(line));
				onPart(parts.at(-1)!, parts.length);
			}
		}
	} catch {
		return { parts, isWhole: false };
	}
	const isWhole = parts.at(-1)?.type === "finish";
	// `undefined` does not survive JSON: what the checker asks of usage is put back.
	if (isWhole) {
		const whole = parts.map((part) =>
			part.type === "finish" ? { ...part, usage: withCounts(part.usage) } : part,
		);
		const problems = checkStream(whole as LanguageModelV3StreamPart[]);
		if (problems.length > 0) throw new Error(`Broken grammar: ${JSON.stringify(problems)}`);
	}
	return { parts, isWhole };
}

function withCounts(usage: { inputTokens: object; outputTokens: object }) {
	const [noCache, cacheRead, cacheWrite] = [undefined, undefined, undefined];
	return {
		inputTokens: { total: undefined, noCache, cacheRead, cacheWrite, ...usage.inputTokens },
		outputTokens: {
			total: undefined,
			text: undefined,
			reasoning: undefined,
			...usage.outputTokens,
		},
	};
}

/** The text that a page shows of some parts: what was withdrawn is left out. */
export function shownText(parts: readonly Part[]): string {
	let text = "";
	for (const part of parts) {
		if (part.type === "text-start" && part.providerMetadata?.giselle?.retracted) text = "";
		if (part.type === "text-delta") text += part.delta;
	}
	return text;
}
