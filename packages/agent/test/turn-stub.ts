import { randomUUID } from "node:crypto";
import type { RelayResponse } from "@baton/protocol";
import type { JsonObject } from "@baton/session";
import type { Agent, AgentEvent, HistoryMessage, ToolRequest, Turn, TurnStats } from "../src/agent";

interface TurnStubOptions {
	sessionId?: string;
	runId?: string;
	attempt?: number;
	document?: string;
	history?: HistoryMessage[];
	memory?: JsonObject;
	signal?: AbortSignal;
	/** The page: what it answers to each request. */
	answer?: (request: ToolRequest, index: number) => Answer | Promise<Answer>;
}

/** An answer to a request; its `requestId` is filled in. */
export type Answer =
	| { type: "snapshot_response"; fields: Record<string, unknown>[] }
	| { type: "execute_response"; report: Record<string, unknown> }
	| { type: "error_response"; message: string };

interface TurnStub extends Turn {
	readonly requests: ToolRequest[];
	readonly models: (string | undefined)[];
	/** What the agent remembers, as of now. */
	remembered(): JsonObject;
}

/** A turn without a session under it. */
export function turnStub(content: string, options: TurnStubOptions = {}): TurnStub {
	let memory = structuredClone(options.memory ?? {});
	const requests: ToolRequest[] = [];
	const models: (string | undefined)[] = [];
	return {
		sessionId: options.sessionId ?? randomUUID(),
		runId: options.runId ?? randomUUID(),
		owner: "local",
		attempt: options.attempt ?? 1,
		input: { content, document: options.document },
		history: async () => options.history ?? [],
		signal: options.signal ?? new AbortController().signal,
		memory: {
			get: () => structuredClone(memory),
			async set(changes) {
				const merged = structuredClone({ ...memory, ...changes });
				memory = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
			},
		},
		announce: ({ model }) => void models.push(model),
		async ask(request): Promise<RelayResponse> {
			requests.push(request);
			if (!options.answer) throw new Error("This test has no page.");
			const answer = await options.answer(request, requests.length - 1);
			return { ...answer, requestId: `request-${requests.length}` };
		},
		requests,
		models,
		remembered: () => structuredClone(memory),
	};
}

interface TurnOutcome {
	events: AgentEvent[];
	/** The assistant's text, joined. */
	text: string;
	/** The events without the assistant's text. */
	others: AgentEvent[];
	result?: TurnStats;
	error?: unknown;
}

/** Runs a turn to its end. A failure is part of the outcome. */
export async function runTurn(
	agent: Agent,
	turn: Turn,
	/** Waited for, before the agent is asked for the next event. */
	onEvent: (event: AgentEvent) => unknown = () => {},
): Promise<TurnOutcome> {
	const outcome: TurnOutcome = { events: [], text: "", others: [] };
	const events = agent.run(turn);
	try {
		for (;;) {
			const next = await events.next();
			if (next.done) {
				outcome.result = next.value;
				return outcome;
			}
			const event = next.value;
			outcome.events.push(event);
			if (event.type === "message") outcome.text += event.content;
			else outcome.others.push(event);
			await onEvent(event);
		}
	} catch (error) {
		outcome.error = error;
		return outcome;
	}
}
