export type {
	AgentSessionEndedEvent,
	ArtifactEvent,
	CitationsEvent,
	ContextLostEvent,
	ErrorEvent,
	EscalatedEvent,
	InitEvent,
	InputRequiredEvent,
	MessageEvent,
	ProgressEvent,
	ResultEvent,
	SandboxEvent,
	StderrEvent,
	ToolResultEvent,
	ToolUseEvent,
} from "./events/agent-events";
export {
	type BatonEvent,
	type EventType,
	eventSchemas,
	isTerminal,
	type UnknownEvent,
} from "./events/baton-event";
export { type EventProblem, type ParsedEvent, parseEvent } from "./events/parse-event";
export {
	type ExecuteRequestEvent,
	type RelayResponse,
	type RelaySessionEvent,
	type RequestAnsweredEvent,
	type RequestClaimedEvent,
	type RequestClosedEvent,
	relayResponseSchema,
	type SnapshotRequestEvent,
} from "./events/relay-events";
export type {
	AbortRequestedEvent,
	InputAdmittedEvent,
	RecoveredEvent,
	ResetEvent,
	RetractEvent,
	TranscriptMessage,
} from "./events/run-events";
export { encodeNdjson } from "./ndjson/encode-ndjson";
export type { JunkReason, NdjsonItem, NdjsonJunk, NdjsonObject } from "./ndjson/ndjson-item";
export {
	DEFAULT_MAX_LINE_BYTES,
	NdjsonParser,
	type NdjsonParserOptions,
} from "./ndjson/ndjson-parser";
export { ndjsonParserStream } from "./ndjson/ndjson-parser-stream";
export {
	type ListedSession,
	SESSION_STATES,
	type SessionDetails,
	type SessionRow,
	type SessionState,
} from "./sessions/listed-session";
