import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { type GiselleAgentModel, type GiselleProviderOptions, giselle } from "../index";
import { createMemorySessions } from "../memory-sessions";
import {
	collectParts,
	type FakeAgentApi,
	type FakeAgentApiOptions,
	startFakeAgentApi,
	textOf,
} from "../testing";
import { options } from "./prompts";

/** A model against a fake agent API, with a store of its own; both end with the test. */
export interface TurnFixture {
	api: FakeAgentApi;
	model: GiselleAgentModel;
	warnings: string[];
	/** Another instance on the same store, in the same process. */
	another(more?: Partial<GiselleProviderOptions>): GiselleAgentModel;
	close(): Promise<void>;
}

export async function openTurns(
	fake: FakeAgentApiOptions,
	more: Partial<GiselleProviderOptions> = {},
): Promise<TurnFixture> {
	const api = await startFakeAgentApi(fake);
	const sessions = more.sessions ?? createMemorySessions();
	const warnings: string[] = [];
	const onWarning = (message: string) => void warnings.push(message);
	const another = (less: Partial<GiselleProviderOptions> = {}) =>
		giselle({ cloudApiUrl: api.url, sessions, onWarning, reconnectMs: 2_000, ...more, ...less });
	return { api, model: another(), warnings, another, close: () => api.close() };
}

interface Turn {
	parts: LanguageModelV3StreamPart[];
	types: string[];
	text: string;
	id: string;
	finish: LanguageModelV3StreamPart & { type: "finish" };
	errors: unknown[];
}

/** One whole call of `doStream`; its stream is checked against the grammar. */
export async function turn(
	model: GiselleAgentModel,
	prompt: LanguageModelV3Prompt,
	giselleOptions: Record<string, string | boolean> = {},
	more: { abortSignal?: AbortSignal } = {},
): Promise<Turn> {
	const { stream, response } = await model.doStream({
		prompt,
		providerOptions: options(giselleOptions),
		...more,
	});
	const parts = await collectParts(stream);
	return {
		parts,
		types: parts.map(({ type }) => type),
		text: textOf(parts),
		id: response?.headers?.["x-giselle-session-id"] ?? "",
		finish: parts.at(-1) as Turn["finish"],
		errors: parts.flatMap((part) => (part.type === "error" ? [part.error] : [])),
	};
}

/** The tool calls of a turn that are the page's to run. */
export function callsOf({ parts }: Turn): string[] {
	return parts.flatMap((part) =>
		part.type === "tool-call" && !part.providerExecuted ? [part.toolCallId] : [],
	);
}
