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
				for (const row of before) await this.#appendRow(entry, session, row);
			},
		});
		const { first, repeated } = appended;
		if (repeated) return appended;
		this.#wakeups.wake(`${entry.id}/${log}`, { pushed: { first, lines } });
		for (const row of after) await this.#appendRow(entry, session, row);
		if (settle && lease) return this.#settle(entry, lease, settle, appended);
		const taken = takeLease && (await this.takeLease(entry, takeLease));
		const record = taken && (await this.#live.recordInQueue(entry));
		if (!taken || !record) return appended;
		return { ...appended, taken: { lease: taken, record, registers: session.registers } };
	}

	async takeLease(entry: IndexEntry, options: LeaseOptions): Promise<Lease | null> {
		if (this.#leases.current(entry.id)) return null;
		const token = await (await this.#live.session(entry)).nextToken();
		this.#live.renew(entry);
		return this.#leases.take(entry.id, token, options);
	}

	async #appendRow(entry: IndexEntry, session: FilesSession, row: EncodedRow): Promise<void> {
		const { log, line, once } = row;
		if (session.hasResult(once.key)) return;
		const { first } = await session.append(log, [line], { once });
		this.#wakeups.wake(`${entry.id}/${log}`, { pushed: { first, lines: [line] } });
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
