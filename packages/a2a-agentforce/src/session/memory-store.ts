import { noMapping, taskInUse } from "./mapping-errors";
import { checkContext, isOlder, mergeInto } from "./merge-mapping";
import { Mutexes } from "./mutexes";
import { DEFAULT_TENANT, type SessionMapping } from "./session-mapping";
import type { Hold, MappingChange, SharedSessionStore } from "./store";

/** Mappings in this process alone, gone when it ends: for development and tests only. */
export class MemoryStore implements SharedSessionStore {
	readonly #sessions = new Map<string, SessionMapping>();
	/** From task to context. */
	readonly #tasks = new Map<string, string>();
	readonly #tenants: Map<string, MemoryStore>;
	readonly #holds = new Mutexes();

	constructor(tenants = new Map<string, MemoryStore>()) {
		this.#tenants = tenants;
		if (tenants.size === 0) tenants.set(DEFAULT_TENANT, this);
	}

	async get(contextId: string): Promise<SessionMapping | null> {
		return structuredClone(this.#sessions.get(contextId) ?? null);
	}

	async set(contextId: string, session: SessionMapping): Promise<void> {
		await this.change(contextId, () => session);
	}

	async update(contextId: string, updates: Partial<SessionMapping>): Promise<void> {
		await this.change(contextId, mergeInto(contextId, updates));
	}

	async delete(contextId: string): Promise<void> {
		this.#remove(contextId);
	}

	async getByTaskId(taskId: string): Promise<SessionMapping | null> {
		const contextId = this.#tasks.get(taskId);
		return contextId === undefined ? null : this.get(contextId);
	}

	/** Counts every tenant's. */
	async cleanup(maxAgeSec: number): Promise<number> {
		let removed = 0;
		for (const tenant of this.#tenants.values()) removed += tenant.#removeOlder(maxAgeSec);
		return removed;
	}

	async change(contextId: string, change: MappingChange): Promise<SessionMapping | null> {
		const before = this.#sessions.get(contextId);
		const after = change(structuredClone(before ?? null));
		if (!after) return structuredClone(before ?? null);
		checkContext(contextId, after);
		for (const taskId of after.a2aTaskIds) {
			const owner = this.#tasks.get(taskId);
			if (owner !== undefined && owner !== contextId) throw taskInUse(taskId);
		}
		this.#remove(contextId);
		this.#sessions.set(contextId, structuredClone(after));
		for (const taskId of after.a2aTaskIds) this.#tasks.set(taskId, contextId);
		return structuredClone(after);
	}

	forTenant(tenantId: string): MemoryStore {
		const known = this.#tenants.get(tenantId);
		if (known) return known;
		const tenant = new MemoryStore(this.#tenants);
		this.#tenants.set(tenantId, tenant);
		return tenant;
	}

	async hold(contextId: string, signal: AbortSignal): Promise<Hold> {
		if (!this.#sessions.has(contextId)) throw noMapping(contextId);
		const release = await this.#holds.lock(contextId, signal);
		return { lost: NEVER, release: async () => release() };
	}

	#removeOlder(maxAgeSec: number): number {
		const old = [...this.#sessions.values()].filter((session) => isOlder(session, maxAgeSec));
		for (const { a2aContextId } of old) this.#remove(a2aContextId);
		return old.length;
	}

	#remove(contextId: string): void {
		for (const taskId of this.#sessions.get(contextId)?.a2aTaskIds ?? [])
			this.#tasks.delete(taskId);
		this.#sessions.delete(contextId);
	}
}

const NEVER = new AbortController().signal;
