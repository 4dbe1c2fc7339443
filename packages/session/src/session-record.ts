import type { JsonObject } from "./json";

export interface SessionRecord<V extends JsonObject = JsonObject> {
	readonly id: string;
	readonly value: V;
	/** Grows by one with every update; 1 after create. */
	readonly version: number;
	readonly aliases: readonly string[];
	readonly group: string;
	/** Wall time in Unix ms, for display and order. */
	readonly createdAt: number;
	readonly updatedAt: number;
	readonly ttlMs: number | null;
}
