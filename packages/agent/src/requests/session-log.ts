import type { Collection } from "@baton/session";

/** What the life of a request needs of a session: its event log and its registers. */
export type SessionLog = Pick<Collection, "append" | "read" | "tail" | "follow" | "state">;

/** The log of turns; requests, claims and answers stand in it between the agent's events. */
export const EVENTS_LOG = "events";
