import type { Collection, Lease } from "@baton/session";
import { followTask, type TaskSource } from "../task/follow-task";
import { foldTask, readTask } from "../task/read-task";
import type { TaskFold } from "../task/task-fold";
import type { FoundTask } from "../task/task-index";
import { type DeliverOptions, deliver } from "./deliver";
import { isEnd, type Milestone } from "./notification";
import { NOW, type PushRecord, type Webhook } from "./push-record";

export interface PushWorkerOptions extends DeliverOptions {
	records: Collection<PushRecord>;
	source: TaskSource;
	/** Names this process to people who look at a lease. */
	holder: string;
	/** How often each process looks for tasks whose worker is gone. */
	sweepMs: number;
	leaseMs: number;
}

export const PUSH_WORKER_DEFAULTS = { sweepMs: 1_000, leaseMs: 10_000 };

/** Tasks that one process tells of at the same time. */
const MAX_AT_ONCE = 256;

/**
 * Tells webhooks what becomes of their tasks. A task with webhooks has an alarm until its end was
 * told, and whoever holds its lease follows its log: so another process goes on when this one dies.
 * A webhook may be told the same state twice, never none.
 */
export class PushWorker {
	readonly #options: PushWorkerOptions;
	readonly #closing = new AbortController();
	readonly #running = new Map<string, Promise<void>>();
	readonly #timer: NodeJS.Timeout;
	#sweeping: Promise<void> | null = null;

	constructor(options: PushWorkerOptions) {
		this.#options = options;
		this.#timer = setInterval(() => this.#sweepOnce(), options.sweepMs);
		this.#timer.unref();
	}

	/** Looks at a task now instead of at the next sweep. */
	wake(taskId: string): void {
		if (this.#closing.signal.aborted || this.#running.has(taskId)) return;
		if (this.#running.size >= MAX_AT_ONCE) return;
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
			.dueAlarms(MAX_AT_ONCE)
			.then((due) => {
				for (const taskId of due) this.wake(taskId);
			})
			// The store is away: the next sweep tries again.
			.catch(() => {})
			.finally(() => {
				this.#sweeping = null;
			});
	}

	async #work(taskId: string): Promise<void> {
		const { records, holder, leaseMs } = this.#options;
		const lease = await records.takeLease(taskId, { holder, ttlMs: leaseMs });
		if (!lease) return;
		const stop = new AbortController();
		const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
		// While it goes on, the alarm stays just ahead: it comes due when nobody renews it.
		const renew = setInterval(() => {
			Promise.all([records.renewLease(lease), records.setAlarm(taskId, leaseMs)]).catch(() =>
				stop.abort(),
			);
		}, leaseMs / 3);
		try {
			await records.setAlarm(taskId, leaseMs);
			await this.#tellAll(taskId, signal);
			await this.#finish(taskId, lease);
		} finally {
			clearInterval(renew);
			if (this.#closing.signal.aborted) await records.setAlarm(taskId, NOW).catch(() => {});
			await records.releaseLease(lease).catch(() => {});
		}
	}

	/** Each webhook is told the states in order; one that is slow holds up no other. */
	async #tellAll(taskId: string, signal: AbortSignal): Promise<void> {
		const chains = new Map<string, Promise<void>>();
		for await (const milestone of this.#milestones(taskId, signal)) {
			const record = await this.#options.records.get(taskId);
			for (const webhook of record?.value.webhooks ?? []) {
				const before = chains.get(webhook.id) ?? Promise.resolve();
				const told = before.then(() => this.#tell(taskId, webhook, milestone, signal));
				told.catch(() => {});
				chains.set(webhook.id, told);
			}
		}
		await Promise.all(chains.values());
		signal.throwIfAborted();
	}

	async #tell(
		taskId: string,
		webhook: Webhook,
		milestone: Milestone,
		signal: AbortSignal,
	): Promise<void> {
		const end = isEnd(milestone);
		if (webhook.done || (!end && milestone.seq <= webhook.toldSeq)) return;
		await deliver(this.#options, webhook, milestone, signal);
		await this.#options.records.update(taskId, (record) => ({
			...record,
			webhooks: record.webhooks.map((one) =>
				one.id === webhook.id ? { ...one, toldSeq: milestone.seq, done: end } : one,
			),
		}));
	}

	/** Where the task stands, then every state it comes into. */
	async *#milestones(taskId: string, signal: AbortSignal): AsyncGenerator<Milestone> {
		const { records, source } = this.#options;
		const record = await records.get(taskId);
		if (!record) return;
		const found: FoundTask = { ...record.value, taskId };
		const fold = await foldTask(source.sessions, found);
		if (!fold) {
			yield { seq: found.seq, task: await readTask(source.sessions, found) };
			return;
		}
		yield milestoneOf(fold);
		let state = fold.state;
		for await (const { payload } of followTask(source, found, fold, { until: "ended", signal })) {
			if (payload?.$case === "task") yield { seq: fold.lastSeq, task: payload.value };
			if (payload?.$case !== "statusUpdate" || fold.state === state) continue;
			state = fold.state;
			yield milestoneOf(fold);
		}
	}

	/** A webhook that came while the end was told still wants it: then the alarm stays. */
	async #finish(taskId: string, lease: Lease): Promise<void> {
		const { records } = this.#options;
		await records.clearAlarm(taskId);
		const record = await records.get(taskId);
		if (record?.value.webhooks.some(({ done }) => !done)) await records.setAlarm(taskId, NOW);
		await records.releaseLease(lease);
	}
}

function milestoneOf(fold: TaskFold): Milestone {
	return { seq: fold.lastSeq, task: fold.task() };
}
