export {
	type Agent,
	type AgentEvent,
	AgentFailure,
	type AgentMemory,
	type HistoryMessage,
	type ToolRequest,
	type Turn,
	TurnAborted,
	type TurnStats,
} from "./agent";
export { ApiKeys } from "./owners/api-keys";
export {
	type AnswerOptions,
	type AnswerOutcome,
	answerRequest,
	claimRequest,
	closeRequest,
	EVENTS_LOG,
	isRequestError,
	isRequestRegister,
	type NewRequest,
	type OpenedRequest,
	openRequest,
	type PendingRequest,
	type PendingRequests,
	pendingRequests,
	type RequestEnd,
	RequestError,
	type RequestErrorCode,
	type RequestEvent,
	readPendingRequests,
	requestEndOf,
	requestRegister,
	type SessionLog,
	settleRequest,
	type WaitForAnswerOptions,
	waitForAnswer,
} from "./requests";
export { deleteSession } from "./turns/delete-session";
export { type OpenRun, OpenRuns } from "./turns/open-runs";
export { type SessionValue, TRANSCRIPT } from "./turns/session-value";
export type { TranscriptRow } from "./turns/transcript";
export { readTranscriptPage } from "./turns/transcript-page";
export { readPosition, type TurnPosition } from "./turns/turn-position";
export type { AgentSource, TurnLog, TurnSettings } from "./turns/turn-settings";
export {
	type Admitted,
	type NewSession,
	type SendOptions,
	type TurnInput,
	type TurnState,
	Turns,
	type TurnsOptions,
} from "./turns/turns";
