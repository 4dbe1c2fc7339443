/** Everything that a page, the relay and an agent say to each other, as zod schemas and types. */
export {
	type BrowserToolAction,
	browserToolActionSchema,
} from "./schemas/browser-tool-action";
export {
	type ActionCode,
	type ActionResult,
	actionCodes,
	actionResultSchema,
	type ExecutionReport,
	executionReportSchema,
} from "./schemas/execution-report";
export {
	type ClaimBody,
	claimBodySchema,
	type DispatchBody,
	dispatchBodySchema,
	type RelayBody,
	type RespondBody,
	relayBodySchema,
	respondBodySchema,
} from "./schemas/relay-bodies";
export {
	type RelayErrorBody,
	type RelayErrorCode,
	relayErrorBodySchema,
	relayErrorCodes,
	relayErrorStatus,
} from "./schemas/relay-errors";
export {
	type ExecuteRequest,
	executeRequestSchema,
	type RelayRequest,
	relayRequestSchema,
	type SnapshotRequest,
	snapshotRequestSchema,
} from "./schemas/relay-request";
export {
	type ErrorResponse,
	type ExecuteResponse,
	errorResponseSchema,
	executeResponseSchema,
	type RelayResponse,
	relayResponseSchema,
	type SnapshotResponse,
	snapshotResponseSchema,
} from "./schemas/relay-response";
export {
	type FieldOption,
	fieldKinds,
	fieldOptionSchema,
	type SnapshotField,
	snapshotFieldSchema,
} from "./schemas/snapshot-field";
