import { type Collection, isBatonError, type Json, type Lease } from "@baton/session";
import type { Agent } from "../agent";
import { ControlFeed } from "./control-feed";
import { LeaseKeeper } from "./lease-keeper";
import { type OpenRun, OpenRuns } from "./open-runs";
import { recoverRun } from "./recover-run";
import { RunAttempt } from "./run-attempt";
import { EVENTS, RUN_REGISTER, type SessionValue } from "./session-value";
import type { SettleGate } from "./settle-gate";
import { Settlement } from "./settlement";
import { endOf, type TurnEnd } from "./turn-end";
import type { TurnSettings } from "./turn-settings";
import { traceField, traceTurn } from "./turn-trace";

/**
 * settled: every turn of the session has ended. held: another process drives it. left: this process
 * is stopping, and the open turns are another's to recover.
 */
type Driven = "settled" | "held" | "left";

/** Drives one session: takes its lease, runs its open turns in order, and gives the lease back. */
export class Runner {
	readonly #settings: TurnSettings;
	readonly #sessions: Collection<SessionValue>;
	readonly #sessionId: string;
	readonly #leaving: AbortSignal;
	readonly #settlement: Settlement;
	/** Where its open turns are likely to begin. */
	readonly #likelySettled: number | undefined;

	constructor(
		settings: TurnSettings,
		sessionId: string,
		{ gate, leaving, likelySettled }: RunnerOptions,
	) {
		this.#likelySettled = likelySettled;
		this.#settings = settings;
		this.#settlement = new Settlement(settings, sessionId, gate);
		this.#sessions = settings.sessions;
		this.#sessionId = sessionId;
		this.#leaving = leaving;
	}

	async drive(): Promise<Driven> {
		for (;;) {
			if (this.#leaving.aborted) return "left";
			const { holder, leaseMs } = this.#settings;
			const takenAt = performance.now();
			const lease = await this.#sessions.takeLease(this.#sessionId, { holder, ttlMs: leaseMs });
			if (!lease) return "held";
			const keeper = new LeaseKeeper(this.#sessions, lease, takenAt);
			let settledSeq: number | null;
			try {
				settledSeq = await this.#runOpenTurns(lease, AbortSignal.any([keeper.lost, this.#leaving]));
			} finally {
				await keeper.stop();
				await this.#sessions.releaseLease(lease);
			}
			if (settledSeq === null) return this.#leaving.aborted ? "left" : "held";
			// An input that was stored while the lease was still ours found nobody to take it.
			const { last } = await this.#sessions.state(this.#sessionId, EVENTS);
			if (last === settledSeq) return "settled";
			await this.#sessions.setAlarm(this.#sessionId, leaseMs);
		}
	}

	/** Returns the seq up to which everything has ended, or null when it had to stop before. */
	async #runOpenTurns(lease: Lease, leave: AbortSignal): Promise<number | null> {
		let [record, { registers }, likely] = await Promise.all([
			this.#sessions.get(this.#sessionId),
			this.#sessions.state(this.#sessionId, EVENTS),
			this.#likelySettled === undefined ? undefined : this.#load(this.#likelySettled),
		]);
		if (!record) return null;
		const { settledSeq = 0 } = record.value;
		const runs =
			likely && settledSeq === this.#likelySettled ? likely : await this.#load(settledSeq);
		const feed = new ControlFeed(this.#sessions, this.#sessionId, runs);
		let latestTurnSeq = record.value.latestTurnSeq ?? 0;
		try {
			while (!leave.aborted) {
				const current = registers[RUN_REGISTER] ?? null;
				const run = runs.get(current ?? "") ?? runs.all[0];
				if (run) {
					const { value } = record;
					const stop = AbortSignal.any([leave, feed.failed]);
					const turn = { lease, leave: stop, run, feed, current, value };
					const agent = run.agent ?? value.agentId;
					const work = () => this.#runTurn(turn);
					const lastSeq = await traceTurn(this.#sessionId, run, agent, work);
					if (lastSeq === null) return null;
					if (lastSeq !== "look again") {
						latestTurnSeq = run.seq;
						await feed.reached(lastSeq);
						await this.#settlement.advance(runs, record.value, latestTurnSeq);
					}
				} else {
					const { last, isSettled } = await this.#settlement.settle(
						runs,
						record.value,
						latestTurnSeq,
					);
					if (isSettled) return last;
					await feed.reached(last);
				}
				[record, { registers }] = await Promise.all([
					this.#sessions.get(this.#sessionId),
					this.#sessions.state(this.#sessionId, EVENTS),
				]);
				if (!record) return null;
			}
			return null;
		} finally {
			feed.onAbort = null;
			await feed.stop();
		}
	}

	/** One turn from where it stands to its terminal event. Null: it is left to another process. */
	async #runTurn({
		lease,
		leave,
		run,
		feed,
		current,
		value,
	}: TurnAtHand): Promise<number | null | "look again"> {
		const name = run.agent ?? value.agentId;
		const found = this.#findAgent(name);
		const agent = "agent" in found ? found.agent : nobody(name);
		const endNow = (end: TurnEnd, text: string) =>
			new RunAttempt(this.#settings, lease, run, agent, { number: run.attempt, text }).end(end);

		if (run.attempt === 0 && run.abortRequested) return endNow({ status: "dropped" }, "");
		let start = { number: 1, text: "" };
		if (run.attempt > 0 && "end" in found) return endNow(found.end, run.text);
		if (run.attempt > 0) {
			const recovery = await recoverRun(this.#settings, lease, run, agent, value.memory ?? {});
			if (recovery.kind === "end") return endNow(recovery.end, run.text);
			start = { number: recovery.attempt, text: recovery.text };
		} else if (!(await this.#start(lease, run, agent, current))) {
			return "look again";
		}
		if ("end" in found) return endNow(found.end, start.text);

		const attempt = new RunAttempt(this.#settings, lease, run, agent, start);
		feed.onAbort = () => {
			if (run.abortRequested) attempt.abort();
		};
		feed.onAbort();
		const end = await attempt.run(value, leave);
		feed.onAbort = null;
		if (end === "left" && this.#leaving.aborted) await attempt.handOver();
		if (end === "lost" || end === "left") return null;
		return attempt.end(end);
	}

	/**
	 * From here on the turn counts as started: whoever takes over recovers it. False: the register
	 * was given to a turn that was admitted since it was read.
	 */
	async #start(lease: Lease, run: OpenRun, agent: Agent, current: string | null): Promise<boolean> {
		const init: Json = {
			type: "init",
			run_id: run.runId,
			session_id: this.#sessionId,
			agent: agent.name,
			timestamp: new Date().toISOString(),
			...traceField(),
		};
		try {
			await this.#sessions.append(this.#sessionId, EVENTS, [init], {
				lease,
				swap: { register: RUN_REGISTER, from: current, to: run.runId },
			});
			return true;
		} catch (error) {
			if (isBatonError(error, "conflict")) return false;
			throw error;
		}
	}

	#findAgent(name: string): { agent: Agent } | { end: TurnEnd } {
		try {
			return { agent: this.#settings.agents(name) };
		} catch (error) {
			return { end: endOf(error) };
		}
	}

	async #load(settledSeq: number): Promise<OpenRuns> {
		const runs = new OpenRuns(settledSeq);
		for (;;) {
			const options = { after: runs.last, limit: 1_000 };
			const { entries, last } = await this.#sessions.read(this.#sessionId, EVENTS, options);
			for (const entry of entries) runs.feed(entry);
			if (runs.last >= last || entries.length === 0) return runs;
		}
	}
}

interface RunnerOptions {
	gate: SettleGate;
	leaving: AbortSignal;
	/** A guess that spares a look when it is right: the seq before an input that was just stored. */
	likelySettled?: number | undefined;
}

/** What running one turn needs to know. */
interface TurnAtHand {
	lease: Lease;
	leave: AbortSignal;
	run: OpenRun;
	feed: ControlFeed;
	/** What the run register holds. */
	current: string | null;
	value: SessionValue;
}

/** Stands where an agent cannot be had, so that its turn can still be started and ended. */
function nobody(name: string): Agent {
	return {
		name,
		recovery: "retry",
		// biome-ignore lint/correctness/useYield: it has nothing to say
		async *run() {
			return undefined;
		},
	};
}

/** A session that is gone needs no runner. */
export function isGone(error: unknown): boolean {
	return isBatonError(error, "not_found") || isBatonError(error, "closed");
}
