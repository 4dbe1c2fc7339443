import { parseEvent } from "@baton/protocol";
import {
	type Collection,
	isBatonError,
	type Json,
	type Lease,
	type SessionRecord,
} from "@baton/session";
import { type Agent, type AgentEvent, TurnAborted, type TurnStats } from "../agent";
import { createAgentMemory, createAgentTurn } from "./agent-turn";
import { type EndedRun, endRun } from "./end-run";
import { EventWriter } from "./event-writer";
import { joinText, type OpenRun } from "./open-runs";
import type { OwnWrites } from "./own-writes";
import { EVENTS, type SessionValue } from "./session-value";
import { endOf, overTime, type TurnEnd } from "./turn-end";
import type { TurnSettings } from "./turn-settings";

/** Events that belong to the turn itself: an agent that yields one is corrected, not obeyed. */
const NOT_THE_AGENTS = new Set([
	"init",
	"result",
	"input_admitted",
	"abort_requested",
	"recovered",
	"handed_over",
	"reset",
	"relay.session",
	"request_claimed",
	"request_answered",
	"request_closed",
]);

const MAX_STATS = 16_384;

/** Why an attempt stopped without ending its turn: another process will go on with it. */
type Unfinished = "lost" | "left";

/** A run with everything that an attempt at it needs. */
export interface RunParts {
	settings: TurnSettings;
	lease: Lease;
	run: OpenRun;
	agent: Agent;
	own: OwnWrites;
	/** As it was when the turn was found. */
	record: SessionRecord<SessionValue>;
}

/** One attempt at a turn, under one lease. */
export class RunAttempt {
	readonly #settings: TurnSettings;
	readonly #sessions: Collection<SessionValue>;
	readonly #lease: Lease;
	readonly #run: OpenRun;
	readonly #agent: Agent;
	readonly #attempt: number;
	readonly #own: OwnWrites;
	readonly #writer: EventWriter;
	readonly #stop = new AbortController();
	readonly #gaveUp: Promise<never>;
	#giveUp: (reason: unknown) => void = () => {};
	#record: SessionRecord<SessionValue>;
	#aborted = false;
	#text: string;
	/** What the agent waits for, if it ended its turn with a question. */
	#awaits: string | null = null;

	constructor(
		{ settings, lease, run, agent, own, record }: RunParts,
		/** Its number, and what the assistant said in earlier ones that are not retracted. */
		attempt: { number: number; text: string },
	) {
		this.#settings = settings;
		this.#sessions = settings.sessions;
		this.#lease = lease;
		this.#run = run;
		this.#agent = agent;
		this.#attempt = attempt.number;
		this.#text = attempt.text;
		this.#own = own;
		this.#record = record;
		this.#writer = new EventWriter(settings.sessions, lease, own);
		this.#gaveUp = new Promise((_, reject) => {
			this.#giveUp = reject;
		});
		this.#gaveUp.catch(() => {});
	}

	/** Someone asked to stop the turn. */
	abort(): void {
		this.#aborted = true;
		this.#stopSoon(new TurnAborted());
	}

	/** Runs the agent to its end. Returns how the turn ended, or why it is left to another process. */
	async run(leave: AbortSignal): Promise<TurnEnd | Unfinished> {
		const onLeave = () => this.#stopSoon(leave.reason);
		if (leave.aborted) onLeave();
		leave.addEventListener("abort", onLeave);
		const tooLong = setTimeout(
			() => this.#stopSoon(new Error("The turn took too long.")),
			this.#settings.turnMs,
		);
		try {
			const end = await this.#consume();
			if (this.#aborted) return { status: "aborted" };
			if (leave.aborted) return this.#writer.lost ? "lost" : "left";
			if (this.#stop.signal.aborted) return overTime(this.#settings.turnMs);
			return end;
		} catch (error) {
			if (this.#writer.lost || isBatonError(error, "lease_lost")) return "lost";
			if (this.#aborted) return { status: "aborted" };
			if (leave.aborted) return "left";
			if (this.#stop.signal.aborted) return overTime(this.#settings.turnMs);
			return endOf(error);
		} finally {
			clearTimeout(tooLong);
			leave.removeEventListener("abort", onLeave);
		}
	}

	/** Leaves the turn to whoever takes it next, and says that nothing went wrong with it here. */
	async handOver(): Promise<void> {
		const handedOver = { type: "handed_over", run_id: this.#run.runId };
		await this.#sessions.append(this.#lease.id, EVENTS, [handedOver], { lease: this.#lease });
	}

	/** Stores the end of the turn. */
	async end(end: TurnEnd): Promise<EndedRun> {
		this.#writer.close();
		const { last } = this.#own;
		return endRun(
			{
				settings: this.#settings,
				lease: this.#lease,
				run: this.#run,
				agent: this.#agent.name,
				attempt: this.#attempt,
				text: this.#text,
				awaits: this.#awaits,
				alone: last === null ? null : { last, record: this.#record },
			},
			end,
		);
	}

	async #consume(): Promise<TurnEnd> {
		const { owner, memory = {} } = this.#record.value;
		const turn = createAgentTurn({
			sessions: this.#sessions,
			lease: this.#lease,
			run: this.#run,
			owner,
			attempt: this.#attempt,
			writer: this.#writer,
			signal: this.#stop.signal,
			memory: createAgentMemory(
				this.#sessions,
				this.#lease.id,
				this.#agent.name,
				memory[this.#agent.name] ?? {},
				(record) => {
					this.#record = record;
				},
			),
			answerMs: this.#settings.answerMs,
			announce: ({ model }) => {
				if (model) this.#writer.write(this.#init(model));
			},
		});
		const events = this.#agent.run(turn);
		try {
			const stats = await Promise.race([this.#pump(events), this.#gaveUp]);
			await this.#writer.drain();
			return { status: "success", ...boundedStats(stats) };
		} catch (error) {
			// A generator that hangs is left behind; one that waits for us gets to clean up.
			events.return(undefined).catch(() => {});
			await this.#writer.drain();
			// What it says from now on comes too late.
			this.#writer.close();
			throw error;
		}
	}

	/** Stores what the agent yields, as fast as the store takes it. */
	async #pump(events: ReturnType<Agent["run"]>): Promise<TurnStats | undefined> {
		for (;;) {
			const { done, value } = await events.next();
			if (done) return value;
			const full = this.#take(value);
			if (full) await full;
		}
	}

	#take(event: AgentEvent): Promise<void> | undefined {
		if (event?.type === "retract") return this.#retract(event.reason);
		if (!isDelta(event) && !this.#accepts(event)) return undefined;
		if (event.type === "message" && event.role === "assistant") {
			this.#text = joinText(this.#text, event as { content?: string; delta?: boolean });
		} else if (event.type === "input_required") {
			this.#awaits = typeof event.reason === "string" ? event.reason : "answer";
		}
		// The event is ours now: to change it is much cheaper than to copy it.
		const stored = event as Record<string, unknown>;
		stored.run_id = this.#run.runId;
		// The log numbers events; a number of the agent's own would pass for it.
		if (stored.seq !== undefined) delete stored.seq;
		return this.#writer.write(stored as Json);
	}

	/** The agent takes back what it said. Only here is known which events those are. */
	async #retract(reason: unknown): Promise<void> {
		await this.#writer.drain();
		this.#text = "";
		this.#awaits = null;
		await this.#writer.write({
			type: "retract",
			run_id: this.#run.runId,
			up_to: this.#writer.lastSeq,
			...(typeof reason === "string" && { reason }),
		});
	}

	#accepts(event: AgentEvent): boolean {
		const parsed = parseEvent(event);
		if (parsed.kind !== "invalid" && !NOT_THE_AGENTS.has(event.type)) return true;
		const details = { agent: this.#agent.name, type: event?.type, parsed };
		this.#settings.log.warn(details, "An agent yielded an event that it may not.");
		return false;
	}

	#init(model: string): Json {
		return {
			type: "init",
			run_id: this.#run.runId,
			session_id: this.#lease.id,
			agent: this.#agent.name,
			model,
		};
	}

	/** Tells the agent to stop, and stops waiting for it when it does not. */
	#stopSoon(reason: unknown): void {
		if (this.#stop.signal.aborted) return;
		this.#stop.abort(reason);
		setTimeout(() => this.#giveUp(reason), this.#settings.stopMs).unref();
	}
}

/** Most events are these, and need no schema to be told. */
function isDelta(event: AgentEvent): boolean {
	return (
		event?.type === "message" && event.role === "assistant" && typeof event.content === "string"
	);
}

/** Stats and notice are an agent's own: too much of either is left out, and the turn ends all the same. */
function boundedStats({ stats, notice }: TurnStats = {}): TurnStats {
	return {
		...(stats && JSON.stringify(stats).length <= MAX_STATS && { stats }),
		...(notice !== undefined && { notice: notice.slice(0, MAX_STATS) }),
	};
}
