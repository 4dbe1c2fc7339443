import type { BatonEvent, RelayResponse, UnknownEvent } from "@baton/protocol";
import type { JsonObject } from "@baton/session";

/**
 * The port of an agent: one turn in, events out.
 *
 * An agent yields events of the protocol, `message`, `tool_use`, `tool_result`, `artifact`, `stderr`,
 * `error`, `progress`, `citations`, `input_required` and any of its own; never `init`, `result` or control events, which belong to the turn.
 * `{ type: "retract", reason? }` takes back all that it yielded in this turn so far; the turn writes up to which seq.
 * What was yielded belongs to the turn: an agent makes a new event each time. Returning normally is success; the returned value may carry stats. Throwing an `AgentFailure` is a
 * failed turn with that reason. When `turn.signal` is aborted the agent stops what it does, every
 * process of its own included, within two seconds, and returns or throws; what it yielded is kept.
 */
export interface Agent {
	/** As it is named in settings and shown to people: `demo`, `gemini`, `anthropic/claude-…`. */
	readonly name: string;
	/**
	 * What is right when the process that ran a turn was lost:
	 * `resume` — run again with `attempt` > 1; the agent knows how to go on where it was.
	 * `retry`  — what was said is retracted, and the turn runs again from the stored messages.
	 * `fail`   — the turn may have had effects; it ends with a retryable error.
	 */
	readonly recovery: "resume" | "retry" | "fail";
	/** What a resumed turn sends to make the agent go on; shown in `recovered`. */
	readonly continuation?: string;
	run(turn: Turn): AsyncGenerator<AgentEvent, TurnStats | undefined, undefined>;
	/**
	 * Ends what a lost process may have left behind, before the turn is recovered. `memory` is what
	 * the agent last remembered. Absent: nothing outlives the process.
	 */
	cleanUp?(memory: JsonObject): Promise<void>;
}

export type AgentEvent = BatonEvent | UnknownEvent;

/** Tokens and times of a turn: the `stats` of its `result`. */
export interface TurnStats {
	stats?: Record<string, unknown>;
	/** Something the person should know about this turn, in words. */
	notice?: string;
}

/** Everything an agent gets for one turn. */
export interface Turn {
	readonly sessionId: string;
	readonly runId: string;
	/** To whom the session belongs. */
	readonly owner: string;
	/** 1, or more when an earlier attempt's process was lost. */
	readonly attempt: number;
	readonly input: { readonly content: string; readonly document?: string };
	/** The conversation before this turn, oldest first. */
	history(): Promise<HistoryMessage[]>;
	/**
	 * Aborted when someone stops the turn (the reason is a `TurnAborted`), when it took too long, or
	 * when this process must leave it to another.
	 */
	readonly signal: AbortSignal;
	/** Asks the client to do something, and waits for its answer. */
	ask(request: ToolRequest, options?: { timeoutMs?: number }): Promise<RelayResponse>;
	/** What the agent keeps between turns and attempts, such as a session id of its own. */
	readonly memory: AgentMemory;
	/** Shown as `model` in `init`; call it before the first event if it differs from the agent's name. */
	announce(details: { model?: string }): void;
}

export interface HistoryMessage {
	readonly role: "user" | "assistant";
	readonly content: string;
	readonly runId?: string;
}

/** Work that only the client can do. */
export type ToolRequest =
	| { type: "snapshot_request"; instruction: string; document?: string }
	| {
			type: "execute_request";
			actions: Record<string, unknown>[];
			fields: Record<string, unknown>[];
	  };

export interface AgentMemory {
	get(): JsonObject;
	/** Merges into what is remembered, durably. A key set to null is forgotten. */
	set(changes: JsonObject): Promise<void>;
}

/** Why a turn's signal was aborted when someone asked to stop the turn. */
export class TurnAborted extends Error {
	override readonly name = "TurnAborted";

	constructor() {
		super("The turn was aborted.");
	}
}

/** A turn that failed, with the reason a person gets to read. */
export class AgentFailure extends Error {
	override readonly name = "AgentFailure";
	/** A code for programs: `missing_key`, `exit`, `timeout`, `no_browser` … */
	readonly type: string;
	/** Whether the same input may succeed later. */
	readonly retryable: boolean;

	constructor(
		type: string,
		message: string,
		options: { retryable?: boolean; cause?: unknown } = {},
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.type = type;
		this.retryable = options.retryable ?? false;
	}
}
