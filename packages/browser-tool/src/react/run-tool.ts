import { type ExecuteOptions, execute, type Root, snapshot } from "../dom";
import type { SnapshotField } from "../types";
import { isReading, type ToolCall } from "./tool-call";

type RunOptions = Omit<ExecuteOptions, "seen" | "root"> & { root: Root };

/** Runs one of the two tools in the page. Throws for an input that is no call of theirs. */
export async function runTool({ toolName, input }: ToolCall, options: RunOptions) {
	if (isReading(toolName)) return { ...snapshot({ root: options.root }) };
	const { actions, fields } = (input ?? {}) as Record<string, unknown>;
	if (!Array.isArray(actions)) throw new Error("The call has no list of actions.");
	return { report: await execute(actions, { ...options, seen: seenFields(fields) }) };
}

/** What the agent says it saw, as far as it is fields at all. It is compared with, never trusted. */
function seenFields(fields: unknown): SnapshotField[] {
	if (!Array.isArray(fields)) return [];
	return fields.filter(
		(field) => typeof field === "object" && field !== null && typeof field.fieldId === "string",
	);
}
