import { createHash } from "node:crypto";
import type { SessionPort, SessionValue } from "./session-port";

type Json = null | boolean | number | string | Json[] | JsonObject;
type JsonObject = { [key: string]: Json };

/** What is needed of a collection of `@baton/session`; its errors carry a `code`. */
export interface RecordCollection {
	get(id: string): Promise<{ value: SessionValue } | null>;
	create(
		id: string,
		value: JsonObject,
		options: { ttlMs: number },
	): Promise<{ value: SessionValue }>;
	update(id: string, change: (value: JsonObject) => JsonObject): Promise<{ value: SessionValue }>;
	delete(id: string): Promise<void>;
}

/** Sessions in a collection of Baton's own store: files, Redis or memory. */
export function createStoreSessions(records: RecordCollection): SessionPort {
	const update: SessionPort["update"] = async (key, change, ttlMs) => {
		try {
			const stored = await records.update(idOf(key), (value) => {
				const next = change(value);
				return next === null ? value : json(next);
			});
			return stored.value;
		} catch (error) {
			if (codeOf(error) !== "not_found") throw error;
		}
		const first = change(null);
		if (first === null) return null;
		try {
			return (await records.create(idOf(key), json(first), { ttlMs })).value;
		} catch (error) {
			// Another call was first: this one changes what that one made.
			if (codeOf(error) !== "already_exists") throw error;
			return update(key, change, ttlMs);
		}
	};
	return {
		update,
		get: async (key) => (await records.get(idOf(key)))?.value ?? null,
		async set(key, value, ttlMs) {
			await update(key, () => value, ttlMs);
		},
		delete: (key) => records.delete(idOf(key)),
	};
}

/** Keys hold any characters, ids of records do not. */
function idOf(key: string): string {
	return createHash("sha256").update(key).digest("hex");
}

/** Plain JSON: a field that is undefined is not there. */
function json(value: SessionValue): JsonObject {
	return JSON.parse(JSON.stringify(value)) as JsonObject;
}

function codeOf(error: unknown): unknown {
	return (error as { code?: unknown } | null)?.code;
}
