import { type Collection, isBatonError, type Lease } from "@baton/session";
import type { News } from "./held-session";
import { isGone, Runner } from "./runner";
import { EVENTS, RUN_REGISTER, type SessionValue } from "./session-value";
import { putOff } from "./settlement";
import type { TurnSettings } from "./turn-settings";

/** Sessions that are looked at in one sweep. */
const SWEEP = 1_000;
/** How many of them at once. */
const SWEEP_WIDTH = 16;
const LONGEST_BACK_OFF_MS = 60_000;
/** How long after a lease has run out it is certain to have. */
const LOOK_SLACK_MS = 50;

/**
 * Which sessions this process drives: those it was asked to, and those that a sweep finds without a
 * runner, so that recovery never waits for a reader.
 */
export class Drivers {
	readonly #settings: TurnSettings;
	readonly #sessions: Collection<SessionValue>;
	readonly #leaving = new AbortController();
	readonly #driving = new Map<string, Promise<void>>();
	readonly #again = new Set<string>();
	/** Sessions that another process drives, and that are looked at once more. */
	readonly #looks = new Map<string, NodeJS.Timeout>();
	/** How often in a row a session could not be driven. */
	readonly #failures = new Map<string, number>();
	#sweepTimer: NodeJS.Timeout | undefined;
	#sweeping: Promise<void> = Promise.resolve();

	constructor(settings: TurnSettings) {
		this.#settings = settings;
		this.#sessions = settings.sessions;
		this.#scheduleSweep(0);
	}

	get stopping(): boolean {
		return this.#leaving.signal.aborted;
	}

	/** Lets what is driven here finish for `drainMs`, then leaves it to others. */
	async close(drainMs: number): Promise<void> {
		clearTimeout(this.#sweepTimer);
		const driving = [...this.#driving.keys()];
		await this.#drained(drainMs);
		this.#leaving.abort(new Error("This process is stopping."));
		clearTimeout(this.#sweepTimer);
		for (const look of this.#looks.values()) clearTimeout(look);
		await this.#sweeping;
		await Promise.all(this.#driving.values());
		// Whoever else is there need not wait for the lease to run out.
		for (const id of driving) await this.#hurry(id);
	}

	/** Resolves when nothing is driven here, or when the time is over. */
	async #drained(withinMs: number): Promise<void> {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, withinMs);
		});
		await Promise.race([Promise.all(this.#driving.values()), late]);
		clearTimeout(timer);
	}

	drives(sessionId: string): boolean {
		return this.#driving.has(sessionId);
	}

	/**
	 * Drives a session here, unless that is happening already; then once more afterwards. `isNews`: it
	 * was just given something to do, and `news` is that with the lease, where it was free.
	 */
	drive(sessionId: string, isNews = false, news?: News): void {
		const isBusy = this.#driving.has(sessionId);
		if (news && (isBusy || this.#leaving.signal.aborted)) {
			this.#giveUp(news.taken.lease);
			return;
		}
		if (isBusy) this.#again.add(sessionId);
		if (isBusy || this.#leaving.signal.aborted) return;
		const runner = new Runner(this.#settings, sessionId, this.#leaving.signal);
		const driven = runner
			.drive(news)
			.then(
				(driven) => {
					this.#failures.delete(sessionId);
					if (driven === "held" && isNews) this.#lookLater(sessionId);
				},
				(error: unknown) => this.#failedToDrive(sessionId, error),
			)
			.finally(() => {
				this.#driving.delete(sessionId);
				if (this.#again.delete(sessionId)) this.drive(sessionId, true);
			});
		this.#driving.set(sessionId, driven);
	}

	/** A lease that came too late for the drive that is under way. */
	#giveUp(lease: Lease): void {
		const driveAgain = () => this.drive(lease.id, true);
		this.#sessions.releaseLease(lease).then(driveAgain, driveAgain);
	}

	/**
	 * Another process has it, and sees to what there is to do, unless it dies in the very moment in
	 * which it settles. Then its lease runs out, and this look finds what it left.
	 */
	#lookLater(sessionId: string): void {
		if (this.#looks.has(sessionId) || this.#leaving.signal.aborted) return;
		const look = setTimeout(() => {
			this.#looks.delete(sessionId);
			this.drive(sessionId);
		}, this.#settings.leaseMs + LOOK_SLACK_MS);
		look.unref();
		this.#looks.set(sessionId, look);
	}

	/** Says so, and tries again later and later, so that one session does not keep the sweep busy. */
	async #failedToDrive(sessionId: string, error: unknown): Promise<void> {
		if (isGone(error) || isBatonError(error, "lease_lost")) return;
		this.#settings.log.warn({ sessionId, error }, "A session could not be driven.");
		const failures = (this.#failures.get(sessionId) ?? 0) + 1;
		this.#failures.set(sessionId, failures);
		const againMs = Math.min(1_000 * 2 ** (failures - 1), LONGEST_BACK_OFF_MS);
		await this.#sessions.setAlarm(sessionId, againMs).catch(() => {});
	}

	#scheduleSweep(inMs: number): void {
		if (this.#leaving.signal.aborted) return;
		this.#sweepTimer = setTimeout(() => {
			this.#sweeping = this.#sweep().finally(() => this.#scheduleSweep(this.#settings.sweepMs));
		}, inMs);
		this.#sweepTimer.unref();
	}

	/** Looks for sessions whose runner is gone. */
	async #sweep(): Promise<void> {
		try {
			const due = (await this.#sessions.dueAlarms(SWEEP)).filter((id) => !this.drives(id));
			const next = due.values();
			const look = async () => {
				for (const id of next) await this.#look(id);
			};
			await Promise.all(Array.from({ length: SWEEP_WIDTH }, look));
		} catch (error) {
			if (!isGone(error)) this.#settings.log.warn({ error }, "The sweep for lost turns failed.");
		}
	}

	/** Most alarms that come due are of sessions where there is nothing to do. */
	async #look(sessionId: string): Promise<void> {
		const isQuiet = await putOff(this.#settings, sessionId).catch(() => false);
		if (!isQuiet) this.drive(sessionId);
	}

	async #hurry(sessionId: string): Promise<void> {
		const { registers } = await this.#sessions
			.state(sessionId, EVENTS)
			.catch(() => ({ registers: {} as Record<string, string> }));
		if (registers[RUN_REGISTER]) await this.#sessions.setAlarm(sessionId, 1).catch(() => {});
	}
}
