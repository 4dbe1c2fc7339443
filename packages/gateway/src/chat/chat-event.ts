import type { Json } from "@baton/session";

/** What every chat event carries. */
interface OfRun {
	sessionKey: string;
	runId: string;
	/** The event's number in the session's log: subscribe after it to go on. */
	seq: number;
}

export interface Usage {
	inputTokens: number;
	outputTokens: number;
}

/** What happens in a session, as clients are told. `chat.${type}` is the name of its frame. */
export type ChatEvent =
	/** A person's message was stored. */
	| ({ type: "message"; role: "user"; content: string; timestamp: number } & OfRun)
	/** The agent has begun, or has named its model. */
	| ({ type: "started"; agent?: string; model?: string } & OfRun)
	/** More of the answer's text. */
	| ({ type: "delta"; text: string } & OfRun)
	| ({
			type: "tool";
			phase: "start" | "end";
			toolId: string;
			toolName?: string;
			status?: string;
			parameters?: Json;
			output?: Json;
	  } & OfRun)
	/** Everything said in this run so far is withdrawn. */
	| ({ type: "retract"; reason?: string } & OfRun)
	/** The process that ran the turn was lost, and another goes on. */
	| ({ type: "recovered"; attempt: number; policy: string } & OfRun)
	| ({ type: "final"; usage: Usage; servedBy?: string; notice?: string } & OfRun)
	| ({
			type: "error";
			message: string;
			code: string;
			retryable: boolean;
			/** The turn was stopped on request; `dropped`: before it had begun. */
			aborted?: true;
			dropped?: true;
			servedBy?: string;
	  } & OfRun)
	/** Any other event of the log, untouched: requests to a page, files, warnings, what is new. */
	| ({ type: "event"; event: Json } & Omit<OfRun, "runId"> & { runId?: string });

/** Whether the turn ends with it. */
export function isTerminal(event: ChatEvent): boolean {
	return event.type === "final" || event.type === "error";
}
