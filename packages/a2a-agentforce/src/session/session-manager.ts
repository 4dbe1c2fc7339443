import { BatonError } from "@baton/session";
import { startCleanupTimer } from "./cleanup-timer";
import { sessionTtlSeconds } from "./environment";
import { noMapping } from "./mapping-errors";
import { isOlder } from "./merge-mapping";
import { Mutexes } from "./mutexes";
import { type SessionLog, stderrLog } from "./session-log";
import type { SessionMapping, TaskState } from "./session-mapping";
import { withTask, withTaskState } from "./session-tasks";
import type { MappingChange, SessionStore } from "./store";

export type { SessionMapping, TaskState } from "./session-mapping";

export interface NewSessionMapping {
	contextId: string;
	taskId: string;
	afSessionId: string;
	afAgentId: string;
	tenantId: string;
}

export interface SessionManagerOptions {
	/** Without activity for this long, a mapping counts as expired. Default: `SESSION_TTL_SECONDS`. */
	ttlSeconds?: number;
	log?: SessionLog;
	/** False: somebody else calls `cleanupExpired`. Default: every five minutes, until `close`. */
	cleanup?: boolean;
}

/**
 * Which Agentforce session serves an A2A context. It keeps state only and never calls Agentforce:
 * the caller does, with what it finds here.
 *
 * Atomic across processes where the store is. A mapping that is closed or expired is never used
 * again: its context gets a new one from `createSession`, which keeps the task ids.
 */
export class SessionManager {
	readonly #store: SessionStore;
	readonly #ttlSeconds: number;
	readonly #log: SessionLog;
	readonly #writers = new Mutexes();
	readonly #stopCleanup: () => void;

	constructor(store: SessionStore, options: SessionManagerOptions = {}) {
		this.#store = store;
		this.#ttlSeconds = options.ttlSeconds ?? sessionTtlSeconds();
		this.#log = options.log ?? stderrLog;
		this.#stopCleanup =
			options.cleanup === false ? () => {} : startCleanupTimer(() => this.#cleanUp());
	}

	/** The context's mapping in whatever state it is: look at `state` before you use it. */
	async getByContextId(contextId: string): Promise<SessionMapping | null> {
		return this.#asOfNow(await this.#store.get(contextId));
	}

	async getByTaskId(taskId: string): Promise<SessionMapping | null> {
		return this.#asOfNow(await this.#store.getByTaskId(taskId));
	}

	/**
	 * Makes the mapping of a context, once. When the context has an active one already, made by
	 * another process meanwhile, the task is added to that, and that is returned: compare the
	 * `afSessionId`, and end your own session if it is not it.
	 */
	async createSession(params: NewSessionMapping): Promise<SessionMapping> {
		const { contextId, taskId, afSessionId, afAgentId, tenantId } = params;
		const mapping = await this.#change(contextId, (found) => {
			const now = Date.now();
			if (found && this.#isUsable(found)) return { ...withTask(found, taskId), lastActivity: now };
			const fresh: SessionMapping = {
				a2aContextId: contextId,
				a2aTaskIds: found?.a2aTaskIds ?? [],
				...(found?.taskStates && { taskStates: found.taskStates }),
				...(found?.lastTaskState && { lastTaskState: found.lastTaskState }),
				afSessionId,
				afSequenceId: 0,
				afAgentId,
				tenantId,
				createdAt: found?.createdAt ?? now,
				lastActivity: now,
				state: "active",
			};
			return withTask(fresh, taskId);
		});
		return mapping as SessionMapping;
	}

	/** Records a new task within a context that is in use. */
	async addTask(contextId: string, taskId: string): Promise<void> {
		await this.#changeActive(contextId, (session) => withTask(session, taskId));
	}

	/** The number of the next message to Agentforce: 1, 2, 3 … in each Agentforce session. */
	async nextSequenceId(contextId: string): Promise<number> {
		const session = await this.#changeActive(contextId, (session) => ({
			...session,
			afSequenceId: session.afSequenceId + 1,
		}));
		return session.afSequenceId;
	}

	/**
	 * `addTask` and `nextSequenceId` in one step. The session and the number that are returned belong
	 * together, whatever others do to the context.
	 */
	async beginMessage(contextId: string, taskId: string): Promise<SessionMapping> {
		return this.#changeActive(contextId, (session) => ({
			...withTask(session, taskId),
			afSequenceId: session.afSequenceId + 1,
		}));
	}

	/** Notes what a task is now: the newest one, unless `taskId` says which. */
	async updateTaskState(
		contextId: string,
		state: object,
		artifacts?: object[],
		taskId?: string,
	): Promise<void> {
		await this.#change(contextId, (session) => {
			if (!session) throw noMapping(contextId);
			const id = taskId ?? session.a2aTaskIds.at(-1);
			if (id === undefined || !session.a2aTaskIds.includes(id)) {
				throw new BatonError("not_found", `Context "${contextId}" has no task "${id}".`);
			}
			const task = { state, ...(artifacts && { artifacts }) };
			return { ...withTaskState(session, id, task), lastActivity: Date.now() };
		});
	}

	/** What a task was last known to be, whatever the context's newer tasks are. */
	async getTaskState(taskId: string): Promise<TaskState | null> {
		const session = await this.#store.getByTaskId(taskId);
		return session?.taskStates?.[taskId] ?? null;
	}

	/** Marks the session as over. Absent, or over already, is fine. */
	async closeSession(contextId: string, reason: "completed" | "expired"): Promise<void> {
		await this.#change(contextId, (session) =>
			session?.state === "active" ? { ...session, state: reason, lastActivity: Date.now() } : null,
		);
	}

	/** Removes what had no activity for the time to live, and says how many that were. */
	async cleanupExpired(): Promise<number> {
		const removed = await this.#store.cleanup(this.#ttlSeconds);
		this.#log.info({ removed }, "Expired sessions were cleaned up.");
		return removed;
	}

	/** Ends the periodic clean-up. The store is its owner's to close. */
	close(): void {
		this.#stopCleanup();
	}

	async #cleanUp(): Promise<void> {
		await this.cleanupExpired().catch((error: unknown) => {
			this.#log.warn({ error }, "Expired sessions could not be cleaned up; that is tried again.");
		});
	}

	#isUsable(session: SessionMapping): boolean {
		return session.state === "active" && !isOlder(session, this.#ttlSeconds);
	}

	#asOfNow(session: SessionMapping | null): SessionMapping | null {
		if (session?.state !== "active" || this.#isUsable(session)) return session;
		return { ...session, state: "expired" };
	}

	async #changeActive(
		contextId: string,
		change: (session: SessionMapping) => SessionMapping,
	): Promise<SessionMapping> {
		const changed = await this.#change(contextId, (session) => {
			if (!session) throw noMapping(contextId);
			if (!this.#isUsable(session)) {
				throw new BatonError(
					"conflict",
					`The Agentforce session of context "${contextId}" is over; start a new one.`,
				);
			}
			return { ...change(session), lastActivity: Date.now() };
		});
		return changed as SessionMapping;
	}

	async #change(contextId: string, change: MappingChange): Promise<SessionMapping | null> {
		const store = this.#store;
		if (store.change) return store.change(contextId, change);
		return this.#writers.run(contextId, async () => {
			const before = await store.get(contextId);
			const after = change(before);
			if (after) await store.set(contextId, after);
			return after ?? before;
		});
	}
}
