import {
	type Collection,
	isBatonError,
	type Json,
	type Lease,
	type SessionRecord,
} from "@baton/session";
import type { Agent } from "../agent";
import { isRequestRegister } from "../requests";
import { ControlFeed } from "./control-feed";
import type { EndedRun } from "./end-run";
import { type Held, heldBy, type News } from "./held-session";
import { LeaseKeeper } from "./lease-keeper";
import { type OpenRun, OpenRuns } from "./open-runs";
import { OwnWrites } from "./own-writes";
import { recoverRun } from "./recover-run";
import { RunAttempt, type RunParts } from "./run-attempt";
import { EVENTS, RUN_REGISTER, type SessionValue } from "./session-value";
import { Settlement } from "./settlement";
import { endOf, type TurnEnd } from "./turn-end";
import type { TurnSettings } from "./turn-settings";
import { traceField, traceTurn } from "./turn-trace";

/**
 * settled: every turn of the session has ended. held: another process drives it. left: this process
 * is stopping, and the open turns are another's to recover.
 */
type Driven = "settled" | "held" | "left";

/** What became of the open turns: all has ended up to `last`, and perhaps the lease is given up. */
interface Ended {
	last: number;
	isReleased: boolean;
}

/** Drives one session: takes its lease, runs its open turns in order, and gives the lease back. */
export class Runner {
	readonly #settings: TurnSettings;
	readonly #sessions: Collection<SessionValue>;
	readonly #sessionId: string;
	readonly #leaving: AbortSignal;
	readonly #settlement: Settlement;

	constructor(settings: TurnSettings, sessionId: string, leaving: AbortSignal) {
		this.#settings = settings;
		this.#settlement = new Settlement(settings, sessionId);
		this.#sessions = settings.sessions;
		this.#sessionId = sessionId;
		this.#leaving = leaving;
	}

	/** `news` spares looks, when it is all that there is to do. */
	async drive(news?: News): Promise<Driven> {
		let held: Held | undefined = news && heldBy(news);
		for (;;) {
			if (this.#leaving.aborted && !held) return "left";
			held ??= await this.#take();
			if (!held) return "held";
			const { lease, takenAt } = held;
			const keeper = new LeaseKeeper(this.#sessions, lease, takenAt);
			const leave = AbortSignal.any([keeper.lost, this.#leaving]);
			let ended: Ended | null = null;
			try {
				ended = await this.#runOpenTurns(held, leave);
			} finally {
				await keeper.stop();
				if (!ended?.isReleased) await this.#sessions.releaseLease(lease);
			}
			if (ended === null) return this.#leaving.aborted ? "left" : "held";
			if (ended.isReleased) return "settled";
			// An input that was stored while the lease was still ours found nobody to take it.
			const { last } = await this.#sessions.state(this.#sessionId, EVENTS);
			if (last === ended.last) return "settled";
			held = undefined;
		}
	}

	async #take(): Promise<Held | undefined> {
		const { holder, leaseMs } = this.#settings;
		const takenAt = performance.now();
		const lease = await this.#sessions.takeLease(this.#sessionId, { holder, ttlMs: leaseMs });
		if (!lease) return undefined;
		try {
			const look = await this.#look();
			if (look) return { lease, takenAt, ...look };
		} catch (error) {
			await this.#sessions.releaseLease(lease).catch(() => {});
			throw error;
		}
		return undefined;
	}

	async #look() {
		const [record, { registers, last }] = await Promise.all([
			this.#sessions.get(this.#sessionId),
			this.#sessions.state(this.#sessionId, EVENTS),
		]);
		return record && { record, registers, last };
	}

	/** Returns up to where everything has ended, or null when it had to stop before. */
	async #runOpenTurns(held: Held, leave: AbortSignal): Promise<Ended | null> {
		const { lease } = held;
		let { record, registers, last } = held;
		const { settledSeq = 0 } = record.value;
		const runs = held.runs ?? (await this.#load(settledSeq));
		const feed = new ControlFeed(this.#sessions, this.#sessionId, runs);
		let latestTurnSeq = record.value.latestTurnSeq ?? 0;
		try {
			while (!leave.aborted) {
				const current = registers[RUN_REGISTER] ?? null;
				const run = runs.get(current ?? "") ?? runs.all[0];
				if (run) {
					const stop = AbortSignal.any([leave, feed.failed]);
					const isAlone = last === runs.last && runs.all.length === 1 && !hasRequest(registers);
					const own = new OwnWrites(isAlone ? last : null);
					const turn = { lease, leave: stop, run, feed, current, record, own };
					const agent = run.agent ?? record.value.agentId;
					const work = () => this.#runTurn(turn);
					const ended = await traceTurn(this.#sessionId, run, agent, work);
					if (ended === null) return null;
					if (ended !== "look again") {
						if (ended.isSettled) return { last: ended.last, isReleased: true };
						latestTurnSeq = run.seq;
						await feed.reached(ended.last);
						await this.#settlement.advance(runs, record.value, latestTurnSeq);
					}
				} else {
					const settled = await this.#settlement.settle(runs, record.value, latestTurnSeq);
					if (settled.isSettled) return { last: settled.last, isReleased: false };
					await feed.reached(settled.last);
				}
				const look = await this.#look();
				if (!look) return null;
				({ record, registers, last } = look);
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
		record,
		own,
	}: TurnAtHand): Promise<EndedRun | null | "look again"> {
		const { value } = record;
		const name = run.agent ?? value.agentId;
		const found = this.#findAgent(name);
		const agent = "agent" in found ? found.agent : nobody(name);
		const parts = { settings: this.#settings, lease, run, agent, own, record };
		const endNow = (end: TurnEnd, text: string) =>
			new RunAttempt(parts, { number: run.attempt, text }).end(end);

		if (run.attempt === 0 && run.abortRequested) return endNow({ status: "dropped" }, "");
		let start = { number: 1, text: "" };
		if (run.attempt > 0 && "end" in found) return endNow(found.end, run.text);
		if (run.attempt > 0) {
			const recovery = await recoverRun(this.#settings, lease, run, agent, value.memory ?? {});
			if (recovery.kind === "end") return endNow(recovery.end, run.text);
			start = { number: recovery.attempt, text: recovery.text };
		} else if (!(await this.#start(parts, current))) {
			return "look again";
		}
		if ("end" in found) return endNow(found.end, start.text);

		const attempt = new RunAttempt(parts, start);
		feed.onAbort = () => {
			if (run.abortRequested) attempt.abort();
		};
		feed.onAbort();
		const end = await attempt.run(leave);
		feed.onAbort = null;
		if (end === "left" && this.#leaving.aborted) await attempt.handOver();
		if (end === "lost" || end === "left") return null;
		return attempt.end(end);
	}

	/**
	 * From here on the turn counts as started: whoever takes over recovers it. False: the register
	 * was given to a turn that was admitted since it was read.
	 */
	async #start({ lease, run, agent, own }: RunParts, current: string | null): Promise<boolean> {
		const init: Json = {
			type: "init",
			run_id: run.runId,
			session_id: this.#sessionId,
			agent: agent.name,
			timestamp: new Date().toISOString(),
			...traceField(),
		};
		try {
			const started = await this.#sessions.append(this.#sessionId, EVENTS, [init], {
				lease,
				swap: { register: RUN_REGISTER, from: current, to: run.runId },
			});
			own.note(started);
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

function hasRequest(registers: Held["registers"]): boolean {
	return Object.keys(registers).some(isRequestRegister);
}

/** What running one turn needs to know. */
interface TurnAtHand {
	lease: Lease;
	leave: AbortSignal;
	run: OpenRun;
	feed: ControlFeed;
	/** What the run register holds. */
	current: string | null;
	record: SessionRecord<SessionValue>;
	own: OwnWrites;
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
