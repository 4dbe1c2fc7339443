export {
	createSessionStore,
	MemoryStore,
	RedisStore,
	SessionManager,
	type SessionMapping,
	type SessionStore,
} from "./session";
