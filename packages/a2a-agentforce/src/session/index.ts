export type { SessionMapping } from "./session-mapping";
export type { SessionStore } from "./store";
