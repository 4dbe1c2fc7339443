import { createHash } from "node:crypto";
import { type Collection, isBatonError, type JsonObject } from "@baton/session";
import type { SessionPort, SessionValue } from "../../src";

/** The provider's sessions on Baton's own store, as an embedding application hands them in. */
export function batonSessions(records: Collection<JsonObject>): SessionPort {
	// Keys hold any characters, ids of records do not.
	const idOf = (key: string) => createHash("sha256").update(key).digest("hex");
	const json = (value: SessionValue) => JSON.parse(JSON.stringify(value)) as JsonObject;
	const get = async (key: string) => (await records.get(idOf(key)))?.value ?? null;
	const update: SessionPort["update"] = async (key, change, ttlMs) => {
		try {
			const stored = await records.update(idOf(key), (value) => {
				const next = change(value);
				return next === null ? value : json(next);
			});
			return stored.value;
		} catch (error) {
			if (!isBatonError(error, "not_found")) throw error;
		}
		const first = change(null);
		if (first === null) return null;
		try {
			return (await records.create(idOf(key), json(first), { ttlMs })).value;
		} catch (error) {
			if (!isBatonError(error, "already_exists")) throw error;
			return update(key, change, ttlMs);
		}
	};
	return {
		get,
		update,
		async set(key, value, ttlMs) {
			await update(key, () => value, ttlMs);
		},
		delete: (key) => records.delete(idOf(key)),
	};
}
