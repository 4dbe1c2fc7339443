import type * as z from "zod";
import * as agent from "./agent-events";
import * as relay from "./relay-events";
import * as run from "./run-events";

/** Every event type of the protocol, with its schema. */
export const eventSchemas = {
	init: agent.initSchema,
	sandbox: agent.sandboxSchema,
	message: agent.messageSchema,
	tool_use: agent.toolUseSchema,
	tool_result: agent.toolResultSchema,
	stderr: agent.stderrSchema,
	error: agent.errorSchema,
	artifact: agent.artifactSchema,
	progress: agent.progressSchema,
	citations: agent.citationsSchema,
	input_required: agent.inputRequiredSchema,
	escalated: agent.escalatedSchema,
	context_lost: agent.contextLostSchema,
	agent_session_ended: agent.agentSessionEndedSchema,
	result: agent.resultSchema,
	"relay.session": relay.relaySessionSchema,
	snapshot_request: relay.snapshotRequestSchema,
	execute_request: relay.executeRequestSchema,
	request_claimed: relay.requestClaimedSchema,
	request_answered: relay.requestAnsweredSchema,
	request_closed: relay.requestClosedSchema,
	input_admitted: run.inputAdmittedSchema,
	abort_requested: run.abortRequestedSchema,
	recovered: run.recoveredSchema,
	handed_over: run.handedOverSchema,
	retract: run.retractSchema,
	reset: run.resetSchema,
} as const;

export type EventType = keyof typeof eventSchemas;

/** An event of the protocol. `BatonEvent & { type: "message" }` is one of them. */
export type BatonEvent = { [Type in EventType]: z.infer<(typeof eventSchemas)[Type]> }[EventType];

/** An event of a type that this version does not know. It is passed on as it is. */
export interface UnknownEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** Whether the turn ends with this event. */
export function isTerminal(event: BatonEvent | UnknownEvent): event is agent.ResultEvent {
	return event.type === "result";
}
