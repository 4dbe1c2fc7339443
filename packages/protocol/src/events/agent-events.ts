import * as z from "zod";
import { eventSchema } from "./envelope";

/*
 * What an agent says in a turn. A value that decides what a reader does (a role, a status) is a
 * closed set; a word that only explains (a severity, a reason) is any text, so that a new one never
 * makes an old reader refuse the event.
 */

/** Why something failed. `type` is a code for programs, `message` is for people. */
const failureSchema = z.looseObject({
	type: z.string().optional(),
	message: z.string(),
	/** True when the same input may succeed later. */
	retryable: z.boolean().optional(),
});

/** Tokens and time of a turn, as far as the agent tells them. */
const statsSchema = z.looseObject({
	total_tokens: z.number().optional(),
	input_tokens: z.number().optional(),
	output_tokens: z.number().optional(),
	/** Input tokens read from a cache, and those that were not. */
	cached: z.number().optional(),
	input: z.number().optional(),
	duration_ms: z.number().optional(),
	tool_calls: z.number().optional(),
	/** The same counts by model. */
	models: z.record(z.string(), z.unknown()).optional(),
});

/** The turn has started. `session_id` is what a client sends back to go on. */
export const initSchema = eventSchema("init", {
	session_id: z.string(),
	model: z.string().optional(),
	agent: z.string().optional(),
});

/** Where the agent works. */
export const sandboxSchema = eventSchema("sandbox", { sandbox_id: z.string() });

/** Text. With `delta` it continues the message before it; without, it is a message of its own. */
export const messageSchema = eventSchema("message", {
	role: z.enum(["user", "assistant"]),
	content: z.string(),
	delta: z.boolean().optional(),
});

/** The agent calls a tool of its own. */
export const toolUseSchema = eventSchema("tool_use", {
	tool_id: z.string(),
	tool_name: z.string(),
	parameters: z.record(z.string(), z.unknown()),
});

/** What the agent's own tool returned. */
export const toolResultSchema = eventSchema("tool_result", {
	tool_id: z.string(),
	status: z.enum(["success", "error"]),
	output: z.unknown().optional(),
	error: failureSchema.optional(),
});

/** What the agent's process wrote to its error output. */
export const stderrSchema = eventSchema("stderr", { content: z.string() });

/** A warning or an error that does not end the turn by itself. */
export const errorSchema = eventSchema("error", {
	severity: z.string().optional(),
	message: z.string(),
});

/** A file that the agent made. */
export const artifactSchema = eventSchema("artifact", {
	path: z.string(),
	size_bytes: z.number().optional(),
	mime_type: z.string().optional(),
	label: z.string().optional(),
});

/** What the agent is doing while it says nothing. For show: a later one replaces it. */
export const progressSchema = eventSchema("progress", { message: z.string() });

/** Where the message before it comes from. What a reference holds is the agent's own. */
export const citationsSchema = eventSchema("citations", {
	references: z.array(z.record(z.string(), z.unknown())),
});

/** The message before it wants an answer: the agent goes on with the session's next input. */
export const inputRequiredSchema = eventSchema("input_required", {
	/** `inquire`: the agent asks for something. `confirm`: it asks for a yes or a no. */
	reason: z.string().optional(),
});

/** The agent hands the conversation to a person, or to another agent. */
export const escalatedSchema = eventSchema("escalated", {
	targets: z.array(z.record(z.string(), z.unknown())),
});

/** The agent starts this turn without memory of the conversation so far. */
export const contextLostSchema = eventSchema("context_lost", { reason: z.string().optional() });

/** The agent ended its side of the conversation: the next turn starts without memory of this one. */
export const agentSessionEndedSchema = eventSchema("agent_session_ended", {
	reason: z.string().optional(),
});

/** The end of the turn: exactly one, and nothing of the turn after it. */
export const resultSchema = eventSchema("result", {
	/** `dropped`: the input was queued and never ran. */
	status: z.enum(["success", "error", "aborted", "dropped"]),
	/** Who served the turn: another than was asked for, where one stood in for it. */
	agent: z.string().optional(),
	error: failureSchema.optional(),
	stats: statsSchema.optional(),
	/** Something the person should know about this turn, in words. */
	notice: z.string().optional(),
});

export type InitEvent = z.infer<typeof initSchema>;
export type SandboxEvent = z.infer<typeof sandboxSchema>;
export type MessageEvent = z.infer<typeof messageSchema>;
export type ToolUseEvent = z.infer<typeof toolUseSchema>;
export type ToolResultEvent = z.infer<typeof toolResultSchema>;
export type StderrEvent = z.infer<typeof stderrSchema>;
export type ErrorEvent = z.infer<typeof errorSchema>;
export type ArtifactEvent = z.infer<typeof artifactSchema>;
export type ProgressEvent = z.infer<typeof progressSchema>;
export type CitationsEvent = z.infer<typeof citationsSchema>;
export type InputRequiredEvent = z.infer<typeof inputRequiredSchema>;
export type EscalatedEvent = z.infer<typeof escalatedSchema>;
export type ContextLostEvent = z.infer<typeof contextLostSchema>;
export type AgentSessionEndedEvent = z.infer<typeof agentSessionEndedSchema>;
export type ResultEvent = z.infer<typeof resultSchema>;
