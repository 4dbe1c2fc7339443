import type { JsonObject } from "@baton/session";
import type { TaskRecord } from "../task/task-index";

/** A webhook of a task, and how far it was told. */
export type Webhook = JsonObject & {
	id: string;
	url: string;
	token: string;
	scheme: string;
	credentials: string;
	/** The version of A2A in which it was asked for, and is told. */
	version: string;
	/** States up to this seq are known to it, or were given up on. */
	toldSeq: number;
	/** Whether it was told the end. */
	done: boolean;
};

export type PushRecord = TaskRecord & {
	webhooks: Webhook[];
	/** Every webhook was told the end: the record is about to go, and takes no other webhook. */
	over?: boolean;
};

/** The key of the collection that holds them, by task. */
export const PUSH_COLLECTION = "a2a-push";

/** An alarm that comes due at once. */
export const NOW = 1;
