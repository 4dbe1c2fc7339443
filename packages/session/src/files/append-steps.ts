import type { AppendStep, EncodedRow, StoredAppend } from "../driver";
import type { Leases } from "../local/leases";
import type { Wakeups } from "../local/wakeups";
import type { Lease, LeaseOptions } from "../port";
import type { FilesSession } from "./files-session";
import type { LiveSessions } from "./live-sessions";
import type { IndexEntry } from "./session-index";

/** Appends with what happens in the same step. Each call runs in its session's queue. */
export class AppendSteps {
	readonly #live: LiveSessions;
	readonly #leases: Leases;
	readonly #wakeups: Wakeups;

	constructor(live: LiveSessions, leases: Leases, wakeups: Wakeups) {
		this.#live = live;
		this.#leases = leases;
		this.#wakeups = wakeups;
	}

	async append(
		entry: IndexEntry,
		log: string,
		lines: readonly string[],
		step: AppendStep,
	): Promise<StoredAppend> {
		const { lease, alarmMs, before = [], after = [], settle, takeLease } = step;
		const session = await this.#live.session(entry);
		const appended = await session.append(log, lines, step, {
			checkLease: () => {
				if (lease) this.#leases.check(lease);
			},
			first: async () => {
				if (alarmMs !== undefined) await this.#live.alarms.set(entry.id, alarmMs);
				await this.#appendRows(entry, session, before);
			},
		});
		const { first, repeated } = appended;
		if (repeated) return appended;
		this.#wakeups.wake(`${entry.id}/${log}`, { pushed: { first, lines } });
		if (takeLease) return this.#appendAndTake(entry, session, { after, takeLease }, appended);
		await this.#appendRows(entry, session, after);
		if (settle && lease) return this.#settle(entry, lease, settle, appended);
		return appended;
	}

	/** The record is read while the rows are written: a message waits for both. */
	async #appendAndTake(
		entry: IndexEntry,
		session: FilesSession,
		{ after, takeLease }: Required<Pick<AppendStep, "after" | "takeLease">>,
		appended: StoredAppend,
	): Promise<StoredAppend> {
		const reading = this.#leases.current(entry.id) ? null : this.#live.recordInQueue(entry);
		const storing = this.#appendRows(entry, session, after);
		const taking = storing.then(() => this.takeLease(entry, takeLease));
		// Both to their end: nothing goes on behind a failure.
		await Promise.allSettled([taking, reading]);
		const [lease, record] = [await taking, await reading];
		if (!lease || !record) return appended;
		return { ...appended, taken: { lease, record, registers: session.registers } };
	}

	async takeLease(entry: IndexEntry, options: LeaseOptions): Promise<Lease | null> {
		if (this.#leases.current(entry.id)) return null;
		const token = await (await this.#live.session(entry)).nextToken();
		this.#live.renew(entry);
		return this.#leases.take(entry.id, token, options);
	}

	async #appendRows(
		entry: IndexEntry,
		session: FilesSession,
		rows: readonly EncodedRow[],
	): Promise<void> {
		for (const { log, line, once } of rows) {
			if (session.hasResult(once.key)) continue;
			const { first } = await session.append(log, [line], { once });
			this.#wakeups.wake(`${entry.id}/${log}`, { pushed: { first, lines: [line] } });
		}
	}

	async #settle(
		entry: IndexEntry,
		lease: Lease,
		{ version, json, alarmMs }: NonNullable<AppendStep["settle"]>,
		appended: StoredAppend,
	): Promise<StoredAppend> {
		const record = await this.#live.recordInQueue(entry);
		const recordChanged = record?.version !== version;
		if (record && !recordChanged) {
			const updatedAt = Date.now();
			await this.#live.replace(entry, { ...record, json, version: version + 1, updatedAt });
		}
		await this.#live.alarms.set(entry.id, alarmMs);
		this.#leases.release(lease);
		return { ...appended, recordChanged };
	}
}
