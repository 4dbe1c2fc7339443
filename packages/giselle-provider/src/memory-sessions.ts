import type { SessionPort } from "./session-port";

interface Entry {
	json: string;
	expiresAt: number;
}

/** Writes between two looks for entries that expired unread. */
const SWEEP_EVERY = 1_000;

/** Sessions in the memory of this process. They end with it. */
export function createMemorySessions(now: () => number = Date.now): SessionPort {
	const entries = new Map<string, Entry>();
	let writes = 0;
	const read = (key: string) => {
		const entry = entries.get(key);
		if (!entry) return null;
		if (entry.expiresAt > now()) return JSON.parse(entry.json);
		entries.delete(key);
		return null;
	};
	const write = (key: string, value: object, ttlMs: number) => {
		if (++writes % SWEEP_EVERY === 0) for (const each of [...entries.keys()]) read(each);
		entries.set(key, { json: JSON.stringify(value), expiresAt: now() + ttlMs });
	};
	return {
		async get(key) {
			return read(key);
		},
		async set(key, value, ttlMs) {
			write(key, value, ttlMs);
		},
		async update(key, change, ttlMs) {
			const next = change(read(key));
			if (next !== null) write(key, next, ttlMs);
			return read(key);
		},
		async delete(key) {
			entries.delete(key);
		},
	};
}
