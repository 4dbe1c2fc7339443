import { isBatonError, type Lease } from "@baton/session";
import type { TaskSource } from "../task/follow-task";
import type { FoundTask } from "../task/task-index";
import { milestones, standsAt } from "./milestones";
import { isEnd, isResting, type Milestone } from "./notification";
import { OwnerSlots } from "./owner-slots";
import { NOW, type PushRecord } from "./push-record";
import { type TellOptions, tellWebhooks, wants } from "./tell-webhooks";

export interface PushWorkerOptions extends TellOptions {
	source: TaskSource;
	/** Names this process to people who look at a lease. */
	holder: string;
	/** How often each process looks for tasks whose worker is gone. */
	sweepMs: number;
	leaseMs: number;
	/** How soon a task that waits for its caller is looked at again, should nobody say that it goes on. */
	restMs: number;
	/** Tasks that one process tells of at the same time: all, and those of one owner. */
	atOnce: number;
	perOwner: number;
}

export const PUSH_WORKER_DEFAULTS = {
	sweepMs: 1_000,
	leaseMs: 10_000,
	restMs: 15_000,
	atOnce: 256,
	perOwner: 64,
};

/** The longer a task waits, the rarer it is looked at; at least this often. */
const MAX_REST_MS = 10 * 60_000;

/**
 * Tells webhooks what becomes of their tasks. A task with webhooks has an alarm until its end was
 * told, and whoever holds its lease follows its log: so another process goes on when this one dies.
 * A task that waits for its caller is left alone until its alarm. A webhook may be told the same state
 * twice; the end is told in any case.
 */
export class PushWorker {
	readonly #options: PushWorkerOptions;
	readonly #closing = new AbortController();
	readonly #running = new Map<string, Promise<void>>();
	readonly #owners: OwnerSlots;
	readonly #timer: NodeJS.Timeout;
	#sweeping: Promise<void> | null = null;
	#saidFull = false;

	constructor(options: PushWorkerOptions) {
		this.#options = options;
		this.#owners = new OwnerSlots(options.perOwner);
		this.#timer = setInterval(() => this.#sweepOnce(), options.sweepMs);
		this.#timer.unref();
	}

	/** Looks at a task now instead of at the next sweep. */
	wake(taskId: string): void {
		if (this.#closing.signal.aborted || this.#running.has(taskId)) return;
		if (this.#running.size >= this.#options.atOnce) {
			this.#sayFull({ taskId });
			return;
		}
		const work = this.#work(taskId)
			.catch((error: unknown) => {
				if (this.#closing.signal.aborted) return;
				this.#options.log.warn({ taskId, error }, "Webhooks could not be told of a task for now.");
			})
			.finally(() => this.#running.delete(taskId));
		this.#running.set(taskId, work);
	}

	/** Stops here; what is not told yet is another process's, or the next start's. */
	async close(): Promise<void> {
		clearInterval(this.#timer);
		this.#closing.abort();
		await this.#sweeping;
		await Promise.all(this.#running.values());
	}

	#sweepOnce(): void {
		this.#sweeping ??= this.#options.records
			.dueAlarms(this.#options.atOnce)
			.then((due) => {
				if (due.length === 0) this.#saidFull = false;
				for (const taskId of due) this.wake(taskId);
			})
			// The store is away: the next sweep tries again.
			.catch(() => {})
			.finally(() => {
				this.#sweeping = null;
			});
	}

	/** Once, until nothing waits any more. */
	#sayFull(details: Record<string, unknown>): void {
		if (this.#saidFull) return;
		this.#saidFull = true;
		this.#options.log.warn(details, "Webhooks wait: too many tasks are told of at once.");
	}

	async #work(taskId: string): Promise<void> {
		const { records, leaseMs } = this.#options;
		const record = await records.get(taskId);
		if (!record) return records.clearAlarm(taskId);
		const { owner } = record.value;
		if (!this.#owners.take(owner)) {
			this.#sayFull({ taskId, owner });
			// Behind those of others.
			return records.setAlarm(taskId, leaseMs);
		}
		try {
			await this.#hold({ ...record.value, taskId });
		} finally {
			this.#owners.leave(owner);
		}
	}

	async #hold(found: PushRecord & FoundTask): Promise<void> {
		const { records, source, holder, leaseMs } = this.#options;
		const { taskId } = found;
		const lease = await records.takeLease(taskId, { holder, ttlMs: leaseMs });
		if (!lease) return;
		const stop = new AbortController();
		const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
		// While it goes on, the alarm stays just ahead: it comes due when nobody renews it.
		let renewing: Promise<unknown> = Promise.resolve();
		const renew = setInterval(() => {
			const renewed = [records.renewLease(lease), records.setAlarm(taskId, leaseMs)];
			renewing = Promise.all(renewed).catch(() => stop.abort());
		}, leaseMs / 3);
		try {
			await records.setAlarm(taskId, leaseMs);
			const toldSeq = Math.max(0, ...found.webhooks.map((webhook) => webhook.toldSeq));
			const states = milestones(source, found, toldSeq, signal);
			const last = await tellWebhooks(this.#options, taskId, states, signal);
			clearInterval(renew);
			await renewing;
			await this.#leave(found, lease, last);
		} finally {
			clearInterval(renew);
			if (this.#closing.signal.aborted) await this.#lookAgain(taskId).catch(() => {});
			await records.releaseLease(lease).catch(() => {});
		}
	}

	/** What came while the last state was told is seen here, or its alarm comes after this one. */
	async #leave(found: FoundTask, lease: Lease, last: Milestone | null): Promise<void> {
		const { records, source, restMs } = this.#options;
		const { taskId } = found;
		if (!last || !isResting(last)) return this.#lookAgain(taskId);
		if (isEnd(last)) return this.#end(taskId, lease);
		const since = Date.parse(last.task.status?.timestamp ?? "") || Date.now();
		await records.setAlarm(taskId, Math.max(restMs, Math.min(Date.now() - since, MAX_REST_MS)));
		// Written again where it has a time to live: a task that waits is not forgotten before its session.
		const { value } = await records.update(taskId, (record) => record);
		const isLate = value.webhooks.some((webhook) => wants(webhook, last));
		if (isLate || !(await standsAt(source, found, last))) await this.#lookAgain(taskId);
	}

	/** Once every webhook knows the end the record goes; one that came meanwhile still wants it. */
	async #end(taskId: string, lease: Lease): Promise<void> {
		const { records } = this.#options;
		const { value } = await records.update(taskId, (record) =>
			record.webhooks.every(({ done }) => done) ? { ...record, over: true } : record,
		);
		if (!value.over) return this.#lookAgain(taskId);
		// Deleted by its holder alone, so that a record which was made anew is not.
		await records.renewLease(lease);
		await records.clearAlarm(taskId);
		await records.delete(taskId);
	}

	async #lookAgain(taskId: string): Promise<void> {
		const { records } = this.#options;
		try {
			if (await records.get(taskId)) await records.setAlarm(taskId, NOW);
		} catch (error) {
			if (!isBatonError(error, "not_found")) throw error;
		}
	}
}
