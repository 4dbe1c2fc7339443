export type {
	AliasChange,
	AppendConditions,
	AppendStep,
	CollectionDriver,
	CollectionKeys,
	ListPosition,
	NewRecord,
	RawSlice,
	StoreDriver,
	StoredAppend,
	StoredRecord,
	Wake,
} from "./driver";
export { BatonError, type ErrorCode, isBatonError } from "./errors";
export type { Json, JsonObject } from "./json";
export { LIMITS } from "./limits";
export { LogEntry } from "./log-entry";
export { openStore, type StoreConfig } from "./open-store";
export type {
	Appended,
	AppendOptions,
	Collection,
	CollectionOptions,
	CreateOptions,
	FollowBatch,
	FollowOptions,
	Lease,
	LeaseOptions,
	ListOptions,
	LogRow,
	LogSlice,
	ReadOptions,
	RecordPage,
	RegisterSwap,
	Reset,
	SessionRecord,
	SessionState,
	Settle,
	Store,
	TakenLease,
	UpdateOptions,
} from "./port";
export { findRedisAddress, REDIS_VARIABLES } from "./redis-address";
export { createStore } from "./store";
export { isTimeout, withinTime } from "./within-time";
