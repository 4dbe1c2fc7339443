export type { SessionMapping, SessionStore } from "./session";
