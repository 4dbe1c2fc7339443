export { type AnswerOptions, answerRequest } from "./answer-request";
export { claimRequest } from "./claim-request";
export { closeRequest } from "./close-request";
export {
	type NewRequest,
	type OpenedRequest,
	openRequest,
	type RequestEvent,
} from "./open-request";
export {
	type PendingRequest,
	type PendingRequests,
	pendingRequests,
	readPendingRequests,
} from "./pending-requests";
export { type RequestEnd, requestEndOf } from "./request-end";
export { isRequestError, RequestError, type RequestErrorCode } from "./request-error";
export { isRequestRegister, requestRegister } from "./request-register";
export { EVENTS_LOG, type SessionLog } from "./session-log";
export { settleRequest } from "./settle-request";
export { type AnswerOutcome, type WaitForAnswerOptions, waitForAnswer } from "./wait-for-answer";
