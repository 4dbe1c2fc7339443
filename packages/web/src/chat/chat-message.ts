import type { InferUIMessageChunk, InferUITools, UIMessage } from "ai";
import type { PageTools } from "./page-tools";

/** What the page knows of a reply beyond its parts. */
export interface ChatMetadata {
	/** How its turn ended, unless well. */
	status?: "error" | "aborted" | "dropped";
	/** Why, for people. */
	error?: string;
	/** Something the person should know about this turn. */
	notice?: string;
}

export type ChatMessage = UIMessage<ChatMetadata, Record<string, never>, InferUITools<PageTools>>;

export type ChatChunk = InferUIMessageChunk<ChatMessage>;
