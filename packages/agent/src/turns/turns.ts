import { randomUUID } from "node:crypto";
import type { RelayResponse } from "@baton/protocol";
import {
	type Appended,
	type AppendOptions,
	BatonError,
	type Collection,
	type FollowBatch,
	isBatonError,
	type Json,
} from "@baton/session";
import { answerRequest, claimRequest, type PendingRequest, pendingRequests } from "../requests";
import { Drivers } from "./drivers";
import { isText, OpenRuns } from "./open-runs";
import { EVENTS, RUN_REGISTER, type SessionValue } from "./session-value";
import { rowOf } from "./transcript";
import { readPosition, type TurnPosition } from "./turn-position";
import { DEFAULT_TURN_SETTINGS, type TurnSettings } from "./turn-settings";
import { traceAdmission, traceField, traceRun } from "./turn-trace";

export type TurnsOptions = Pick<TurnSettings, "sessions" | "agents" | "holder" | "log"> &
	Partial<TurnSettings>;

export interface NewSession {
	agentId: string;
	owner: string;
	door: string;
	label?: string;
	aliases?: readonly string[];
	id?: string;
	ttlMs?: number;
}

export interface TurnInput {
	content: string;
	document?: string;
	/** Serves this turn instead of the session's own agent. */
	agent?: string;
}

export interface SendOptions {
	/** Same key and same input: the first turn again. */
	idempotencyKey?: string;
	/**
	 * While another turn is open: wait in the queue, be refused as `busy`, or stop every open turn and
	 * go next.
	 */
	whenBusy?: "queue" | "reject" | "interrupt";
}

export interface Admitted {
	runId: string;
	/** The seq of the stored input: everything of the turn comes after it. */
	seq: number;
	/** True when an idempotency key brought back an earlier turn. */
	repeated: boolean;
}

export interface TurnState {
	/** The run that has started and not ended. */
	running: string | null;
	/** Runs that wait, in order. */
	queued: string[];
	pending: PendingRequest[];
	/** Who drives the session now, and for how long that is still certain. */
	runner: { holder: string; token: number; remainingMs: number } | null;
	last: number;
	/** Where the earliest open turn begins, or else the latest that ended. */
	turnSeq: number;
}

/**
 * Turns over sessions. Any number of processes may hold one of these over the same store: what one
 * stores, another may run, answer, abort and follow.
 */
export class Turns {
	readonly #settings: TurnSettings;
	readonly #sessions: Collection<SessionValue>;
	readonly #drivers: Drivers;

	constructor(options: TurnsOptions) {
		this.#settings = { ...DEFAULT_TURN_SETTINGS, ...options };
		this.#sessions = options.sessions;
		this.#drivers = new Drivers(this.#settings);
	}

	/** How long a session lives that is not told otherwise; null for ever. */
	get sessionTtlMs(): number | null {
		return this.#settings.sessionTtlMs ?? null;
	}

	async create(session: NewSession): Promise<SessionValue> {
		const id = session.id ?? randomUUID();
		const now = Date.now();
		const ttlMs = session.ttlMs ?? this.#settings.sessionTtlMs;
		const value: SessionValue = {
			key: id,
			agentId: session.agentId,
			createdAt: now,
			updatedAt: now,
			...(session.label !== undefined && { label: session.label }),
			owner: session.owner,
			door: session.door,
			memory: {},
			settledSeq: 0,
			latestTurnSeq: 0,
		};
		this.#sessions.expect(id, EVENTS);
		const created = await this.#sessions.create(id, value, {
			group: session.owner,
			createdAt: now,
			...(session.aliases && { aliases: session.aliases }),
			...(ttlMs !== undefined && { ttlMs }),
		});
		return created.value;
	}

	/** Stores an input, acknowledges it, then sees that it runs. */
	async send(sessionId: string, input: TurnInput, options: SendOptions = {}): Promise<Admitted> {
		return traceAdmission(sessionId, () => this.#send(sessionId, input, options));
	}

	async #send(sessionId: string, input: TurnInput, options: SendOptions): Promise<Admitted> {
		if (this.#drivers.stopping) throw new BatonError("closed", "This process is stopping.");
		const { idempotencyKey, whenBusy = "queue" } = options;
		const runId = randomUUID();
		const body: Json = { ...input };
		const admitted: Json = {
			type: "input_admitted",
			run_id: runId,
			...input,
			...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
			timestamp: new Date().toISOString(),
			...traceField(),
		};
		const interrupt: Json = { type: "abort_requested", reason: "interrupted" };
		const row = (of: string) =>
			rowOf({ role: "user", content: input.content, timestamp: Date.now(), runId: of });
		const append: AppendOptions = {
			...(idempotencyKey !== undefined && { once: { key: `send:${idempotencyKey}`, body } }),
			...(whenBusy === "reject" && {
				swap: { register: RUN_REGISTER, from: null, to: runId },
			}),
			after: [row(runId)],
		};
		const events = whenBusy === "interrupt" ? [interrupt, admitted] : [admitted];
		const appended = await this.#admit(sessionId, events, append).catch((error: unknown) => {
			throw whenBusy === "reject" ? asBusy(error, sessionId) : error;
		});
		const { last: seq, repeated } = appended;
		const stored = repeated ? await this.#runAt(sessionId, seq) : runId;
		traceRun(stored);
		if (repeated) {
			// Its first sender may have died before the row.
			const { log, event, once } = row(stored);
			await this.#sessions.append(sessionId, log, [event], { once });
		}
		return { runId: stored, seq, repeated };
	}

	/**
	 * Stores something for a runner to do, and sees that one does it, whatever becomes of this process:
	 * its alarm is set in the same step, and the lease taken unless someone has it.
	 */
	async #admit(sessionId: string, events: Json[], options: AppendOptions): Promise<Appended> {
		const { leaseMs, holder } = this.#settings;
		const isDriven = this.#drivers.drives(sessionId);
		const askedAt = performance.now();
		const appended = await this.#sessions
			.append(sessionId, EVENTS, events, {
				...options,
				alarmMs: leaseMs,
				...(!isDriven && { takeLease: { holder, ttlMs: leaseMs } }),
			})
			.catch((error: unknown) => {
				// It may be stored all the same: then it is to run.
				if (!isBatonError(error) || error.retryable) this.#drivers.drive(sessionId, true);
				throw error;
			});
		const { first, taken } = appended;
		this.#drivers.drive(sessionId, true, taken && { first, events, askedAt, taken });
		return appended;
	}

	follow(
		sessionId: string,
		options: { after?: number; signal?: AbortSignal } = {},
	): AsyncIterable<FollowBatch> {
		const fresh = this.#drivers.drives(sessionId);
		return this.#sessions.follow(sessionId, EVENTS, { ...options, fresh });
	}

	/** Hands the agent the client's answer to a request, once. */
	async respond(sessionId: string, response: RelayResponse, claimId?: string): Promise<void> {
		await answerRequest(this.#sessions, sessionId, response, {
			...(claimId !== undefined && { claimId }),
		});
	}

	/** Takes a request for one page, before that page runs it. */
	async claim(sessionId: string, requestId: string, claimId: string): Promise<void> {
		await claimRequest(this.#sessions, sessionId, requestId, claimId);
	}

	/** Stops a turn, or without `runId` every open turn. Too late, or again, is fine. */
	async abort(sessionId: string, runId?: string, reason?: string): Promise<void> {
		const event: Json = {
			type: "abort_requested",
			...(runId !== undefined && { run_id: runId }),
			...(reason !== undefined && { reason }),
			timestamp: new Date().toISOString(),
		};
		await this.#admit(sessionId, [event], {});
	}

	/**
	 * Where a reader that comes late finds what. Costs one look, however long the log is. A record that
	 * was just read, or is being read, need not be read again.
	 */
	async position(
		sessionId: string,
		record?: SessionValue | Promise<SessionValue>,
	): Promise<TurnPosition> {
		const position = await readPosition(this.#sessions, sessionId, record);
		const { last, settledSeq, runner } = position;
		// A reader that finds a turn which nobody drives sees to it, whatever became of its alarm.
		if (last > settledSeq && runner === null) this.#drivers.drive(sessionId);
		return position;
	}

	async state(sessionId: string): Promise<TurnState> {
		const record = await this.#sessions.get(sessionId);
		if (!record) throw new BatonError("not_found", `Session "${sessionId}" does not exist.`);
		const { registers, lease, last } = await this.#sessions.state(sessionId, EVENTS);
		const runs = new OpenRuns(record.value.settledSeq ?? 0);
		let slice = await this.#sessions.read(sessionId, EVENTS, { after: runs.last });
		while (slice.entries.length > 0) {
			for (const entry of slice.entries) {
				if (isText(entry)) runs.skip(entry.seq);
				else runs.feed(entry);
			}
			slice = await this.#sessions.read(sessionId, EVENTS, { after: runs.last });
		}
		const open = runs.all;
		const running = open.find((run) => run.runId === registers[RUN_REGISTER] && run.attempt > 0);
		return {
			running: running?.runId ?? null,
			queued: open.filter((run) => run !== running).map((run) => run.runId),
			pending: await pendingRequests(this.#sessions, sessionId),
			runner: lease,
			last,
			turnSeq: open[0]?.seq ?? record.value.latestTurnSeq ?? 0,
		};
	}

	/**
	 * Lets running turns finish for `drainMs`, then stops them here and leaves them to be recovered.
	 * Nothing is ended that did not end by itself.
	 */
	close(drainMs = 0): Promise<void> {
		return this.#drivers.close(drainMs);
	}

	async #runAt(sessionId: string, seq: number): Promise<string> {
		const { entries } = await this.#sessions.read(sessionId, EVENTS, { after: seq - 1, limit: 1 });
		const event = entries[0]?.event as { run_id?: string } | undefined;
		if (entries[0]?.seq !== seq || event?.run_id === undefined) {
			throw new BatonError("conflict", "The turn with this idempotency key is no longer kept.");
		}
		return event.run_id;
	}
}

function asBusy(error: unknown, sessionId: string): unknown {
	if (!isBatonError(error, "conflict") || !error.message.startsWith("Register")) return error;
	return new BatonError("busy", `Session "${sessionId}" is busy with another turn.`, {
		cause: error,
	});
}
