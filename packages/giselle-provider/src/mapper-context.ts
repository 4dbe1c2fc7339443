import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { GiselleError } from "./giselle-error";

/**
 * What the mapper remembers between events. A context with the first two fields alone works: the
 * others are set when there is something to remember.
 */
export type NdjsonMapperContext = {
	textBlockOpen: boolean;
	/** The assistant's text of the open message; of a very long one, its end. */
	lastAssistantContent: string;
	/** Id of the open text block. */
	textId?: string;
	/** Blocks opened so far, for the ids of lines without a number. */
	textBlocks?: number;
	/** Tokens, when the agent has told them. */
	usage?: LanguageModelV3Usage;
	/** Why the turn failed; it then ends with `finish(error)`. */
	failure?: GiselleError;
	/** `status` of the turn's `result`. */
	resultStatus?: string;
	/** What its `result` says that people should know. */
	notice?: string;
	/** Map the agent's own tools too, as provider-executed ones. */
	agentTools?: boolean;
	/** Names of the agent's tools by call, for their results. */
	toolNames?: Map<string, string>;
	/** Whether anything was shown, and whether the agent wrote to its error output. */
	sawContent?: boolean;
	sawStderr?: boolean;
};

export function createMapperContext(): NdjsonMapperContext {
	return { textBlockOpen: false, lastAssistantContent: "" };
}
