import type { AgentEvent } from "../agent";
import type { CliAdapter, CliSignal } from "./adapter";
import { endedEarly, OutputTail, reportedFailure } from "./cli-failure";
import type { CliLimits } from "./limits";
import { type Output, readOutput } from "./read-output";
import type { SupervisedProcess } from "./supervised-process";

interface OnceParts {
	adapter: CliAdapter;
	child: SupervisedProcess;
	limits: CliLimits;
	redact: (text: string) => string;
	signal: AbortSignal;
	/** The CLI told its session. */
	onSession(session: CliSignal & { kind: "session" }): Promise<void>;
}

export type OnceEnd =
	| { kind: "success"; stats?: Record<string, unknown> }
	| { kind: "aborted" }
	| { kind: "session_lost" };

/** Some CLIs put the whole answer of a server into a warning. */
const MAX_MESSAGE = 2_000;

/**
 * One process from start to end: its output as events. Ends normally only when the CLI said that it
 * succeeded; otherwise throws an `AgentFailure`.
 */
export async function* runOnce(parts: OnceParts): AsyncGenerator<AgentEvent, OnceEnd, undefined> {
	const { adapter, child, limits, redact, signal } = parts;
	const map = adapter.createMapper();
	const output = readOutput(child, limits, adapter.title);
	const tail = new OutputTail();
	const tools = new OpenTools(output);
	let end: (CliSignal & { kind: "success" | "failure" }) | undefined;
	let stderrRoom = limits.stderrChars;
	let said = false;

	for await (const item of output) {
		if (item.kind === "object") {
			for (const next of map(item.value)) {
				if (next.kind === "session") await parts.onSession(next);
				else if (next.kind !== "event") end ??= next;
				else {
					said ||= next.event.type !== "error";
					tools.see(next.event);
					if (isError(next.event)) tail.push(redact(next.event.message));
					yield redactError(next.event, redact);
				}
			}
			continue;
		}
		if (adapter.isNoise(item.line)) continue;
		const line = redact(item.line);
		tail.push(line);
		if (stderrRoom <= 0) continue;
		stderrRoom -= line.length;
		yield { type: "stderr", content: line };
		if (stderrRoom <= 0) yield { type: "stderr", content: "(The rest of it is left out.)" };
	}

	const code = await child.exited;
	if (signal.aborted) return { kind: "aborted" };
	if (end?.kind === "success" && code === 0) return end;
	const reason = end?.kind === "failure" ? `${redact(end.message)}\n${tail}` : String(tail);
	if (!said && adapter.isSessionLost(reason)) return { kind: "session_lost" };
	if (end?.kind === "failure") {
		throw reportedFailure(adapter, { ...end, message: redact(end.message) });
	}
	throw endedEarly(adapter, code, String(tail));
}

function isError(event: AgentEvent): event is AgentEvent & { message: string } {
	return event.type === "error" && typeof event.message === "string";
}

function redactError(event: AgentEvent, redact: (text: string) => string): AgentEvent {
	if (!isError(event)) return event;
	return { ...event, message: redact(event.message).slice(0, MAX_MESSAGE) };
}

/** Counts the tools that run, since an agent that waits for one is rightly silent. */
class OpenTools {
	readonly #open = new Set<unknown>();
	readonly #output: Output;

	constructor(output: Output) {
		this.#output = output;
	}

	see(event: AgentEvent): void {
		if (event.type === "tool_use") this.#open.add(event.tool_id);
		else if (event.type === "tool_result") this.#open.delete(event.tool_id);
		else return;
		this.#output.toolsRunning(this.#open.size);
	}
}
