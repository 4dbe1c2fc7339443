import * as z from "zod";
import type { AgentEvent } from "../../agent";
import type { CliSignal } from "../adapter";
import { count } from "../numbers";

const blockSchema = z.looseObject({ type: z.string() });

const lineSchema = z.looseObject({
	type: z.string(),
	subtype: z.string().optional(),
	session_id: z.string().optional(),
	model: z.string().optional(),
	/** Set on what a sub-agent says, which is no part of the answer. */
	parent_tool_use_id: z.string().nullish(),
	event: z.looseObject({ type: z.string() }).optional(),
	message: z
		.looseObject({ content: z.union([z.string(), z.array(blockSchema)]) })
		.optional()
		.catch(undefined),
	is_error: z.boolean().optional(),
	result: z.string().optional(),
	errors: z.array(z.string()).optional(),
	api_error_status: z.number().nullish(),
	usage: z.record(z.string(), z.unknown()).optional(),
	duration_ms: z.number().optional(),
});

type Line = z.infer<typeof lineSchema>;
type Block = z.infer<typeof blockSchema>;

/** A mapper for one run of `claude -p --output-format stream-json --include-partial-messages`. */
export function createClaudeCodeMapper(): (line: Record<string, unknown>) => CliSignal[] {
	let tools = 0;
	/** Text comes as deltas first, and once more as a whole; the whole is for versions without. */
	let streamed = false;

	const fromAssistant = (block: Block): AgentEvent[] => {
		if (block.type === "tool_use") {
			tools++;
			const parameters = (block.input ?? {}) as Record<string, unknown>;
			const [tool_id, tool_name] = [String(block.id), String(block.name)];
			return [{ type: "tool_use", tool_id, tool_name, parameters }];
		}
		if (block.type !== "text" || streamed) return [];
		return [{ type: "message", role: "assistant", content: String(block.text ?? "") }];
	};

	return (raw) => {
		const parsed = lineSchema.safeParse(raw);
		if (!parsed.success) return [];
		const line = parsed.data;
		if (line.parent_tool_use_id) return [];
		switch (line.type) {
			case "system":
				return fromSystem(line);
			case "stream_event": {
				if (line.event?.type === "message_start") streamed = false;
				const text = textDelta(line);
				if (text === null) return [];
				streamed = true;
				return events([{ type: "message", role: "assistant", content: text, delta: true }]);
			}
			case "assistant":
				// A failure of the API is told as an answer; the result says it as what it is.
				return line.error === undefined ? events(blocks(line).flatMap(fromAssistant)) : [];
			case "user":
				return events(blocks(line).flatMap(toolResult));
			case "result":
				return [end(line, tools)];
			default:
				return [];
		}
	};
}

function fromSystem(line: Line): CliSignal[] {
	if (line.subtype === "init" && line.session_id) {
		return [{ kind: "session", id: line.session_id, model: line.model }];
	}
	if (line.subtype !== "api_retry") return [];
	const { attempt, max_retries, error, error_status } = line;
	const message = `Trying the model again, ${attempt} of ${max_retries}: ${error ?? "error"} (${error_status ?? "no answer"})`;
	return events([{ type: "error", severity: "warning", message }]);
}

function textDelta({ event }: Line): string | null {
	const { delta } = (event ?? {}) as { delta?: { type?: string; text?: unknown } };
	if (event?.type !== "content_block_delta" || delta?.type !== "text_delta") return null;
	return typeof delta.text === "string" ? delta.text : null;
}

function blocks({ message }: Line): Block[] {
	return Array.isArray(message?.content) ? message.content : [];
}

function toolResult(block: Block): AgentEvent[] {
	if (block.type !== "tool_result") return [];
	const { tool_use_id, content, is_error } = block;
	return [
		{
			type: "tool_result",
			tool_id: String(tool_use_id),
			status: is_error === true ? "error" : "success",
			...(content !== undefined && { output: content }),
			...(is_error === true && { error: { message: asText(content) } }),
		},
	];
}

function end(line: Line, tools: number): CliSignal {
	if (line.is_error === true || line.subtype !== "success") {
		const message = line.result ?? line.errors?.join("; ") ?? `It ended with ${line.subtype}.`;
		const status = line.api_error_status ?? 0;
		return { kind: "failure", message, retryable: status === 429 || status >= 500 };
	}
	const usage = line.usage ?? {};
	const cached = count(usage.cache_read_input_tokens);
	const fresh = count(usage.input_tokens) + count(usage.cache_creation_input_tokens);
	const output = count(usage.output_tokens);
	const stats = {
		total_tokens: fresh + cached + output,
		input_tokens: fresh + cached,
		output_tokens: output,
		cached,
		input: fresh,
		tool_calls: tools,
		...(line.duration_ms !== undefined && { duration_ms: line.duration_ms }),
	};
	return { kind: "success", stats };
}

function asText(content: unknown): string {
	return typeof content === "string" ? content : JSON.stringify(content ?? "unknown");
}

function events(list: AgentEvent[]): CliSignal[] {
	return list.map((event) => ({ kind: "event", event }));
}
