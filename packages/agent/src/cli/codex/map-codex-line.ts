import * as z from "zod";
import type { AgentEvent } from "../../agent";
import type { CliSignal } from "../adapter";
import { count } from "../numbers";

const lineSchema = z.looseObject({
	type: z.string(),
	thread_id: z.string().optional(),
	message: z.string().optional(),
	error: z.looseObject({ message: z.string() }).nullish(),
	usage: z.record(z.string(), z.unknown()).optional(),
	item: z.looseObject({ id: z.string(), type: z.string() }).optional(),
});

type Item = NonNullable<z.infer<typeof lineSchema>["item"]>;

/** A mapper for one run of `codex exec --json`. */
export function createCodexMapper(): (line: Record<string, unknown>) => CliSignal[] {
	/** Tools whose start was told. Some items only ever come completed. */
	const started = new Set<string>();
	let tools = 0;

	const toolUse = (item: Item): AgentEvent[] => {
		if (started.has(item.id)) return [];
		started.add(item.id);
		tools++;
		const { id, type, status, aggregated_output, exit_code, result, error, ...parameters } = item;
		const tool_name = type === "mcp_tool_call" ? `mcp_${item.server}_${item.tool}` : type;
		return [{ type: "tool_use", tool_id: id, tool_name, parameters }];
	};
	const completed = (item: Item): AgentEvent[] => {
		switch (item.type) {
			case "agent_message":
				return [{ type: "message", role: "assistant", content: String(item.text ?? "") }];
			case "error":
				return [warning(item.message)];
			case "reasoning":
			case "todo_list":
				return [];
			default:
				return [...toolUse(item), toolResult(item)];
		}
	};

	return (raw) => {
		const parsed = lineSchema.safeParse(raw);
		if (!parsed.success) return [];
		const line = parsed.data;
		switch (line.type) {
			case "thread.started":
				return line.thread_id ? [{ kind: "session", id: line.thread_id }] : [];
			case "item.started":
				return line.item && isTool(line.item) ? events(toolUse(line.item)) : [];
			case "item.completed":
				return line.item ? events(completed(line.item)) : [];
			case "error":
				// It also says so when it tries again; the turn's own end decides.
				return events([warning(line.message)]);
			case "turn.completed":
				return [{ kind: "success", stats: stats(line.usage ?? {}, tools) }];
			case "turn.failed":
				return [{ kind: "failure", message: line.error?.message ?? "It gave no reason." }];
			default:
				return [];
		}
	};
}

function isTool({ type }: Item): boolean {
	return !["agent_message", "reasoning", "todo_list", "error"].includes(type);
}

function toolResult(item: Item): AgentEvent {
	const { error } = item as { error?: { message?: unknown } | null };
	const failed = item.status === "failed" || item.status === "declined" || Boolean(error);
	const output = item.aggregated_output ?? item.result ?? item.changes ?? null;
	return {
		type: "tool_result",
		tool_id: item.id,
		status: failed ? "error" : "success",
		...(output !== null && { output }),
		...(failed && { error: { message: String(error?.message ?? `It ${item.status}.`) } }),
	};
}

function stats(usage: Record<string, unknown>, tools: number): Record<string, unknown> {
	const input = count(usage.input_tokens);
	const cached = count(usage.cached_input_tokens);
	const output = count(usage.output_tokens);
	return {
		total_tokens: input + output,
		input_tokens: input,
		output_tokens: output,
		cached,
		input: input - cached,
		tool_calls: tools,
	};
}

function warning(message: unknown): AgentEvent {
	return { type: "error", severity: "warning", message: String(message ?? "unknown") };
}

function events(list: AgentEvent[]): CliSignal[] {
	return list.map((event) => ({ kind: "event", event }));
}
