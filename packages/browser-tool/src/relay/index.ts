export { corsHeaders } from "./cors";
export { readJsonBody } from "./read-json-body";
export { asRelayError, RelayError } from "./relay-error";
export { createRelayHandler, type RelayHandlerOptions } from "./relay-handler";
export type { NewRelaySession, Relay, RelayCredentials, RelayRole } from "./relay-session";
export {
	type DispatchOptions,
	getDefaultRelayStore,
	openRelayStore,
	RELAY_SESSION_TTL_MS,
	RelayStore,
	type RelayStoreOptions,
	type RelayStoreParts,
} from "./relay-store";
export { sourceOf, textStream } from "./text-stream";
