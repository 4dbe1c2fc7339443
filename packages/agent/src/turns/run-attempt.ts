import { parseEvent } from "@baton/protocol";
import { type Collection, isBatonError, type Json, type Lease } from "@baton/session";
import type { Agent, AgentEvent, TurnStats } from "../agent";
import { AbortableSteps } from "./abortable-steps";
import { createAgentMemory, createAgentTurn } from "./agent-turn";
import { EventWriter } from "./event-writer";
import { joinText, type OpenRun } from "./open-runs";
import { EVENTS, RUN_REGISTER, type SessionValue } from "./session-value";
import { commitRow, type TranscriptRow } from "./transcript";
import { endOf, failed, type TurnEnd } from "./turn-end";
import type { TurnSettings } from "./turn-settings";

/** Events that belong to the turn itself: an agent that yields one is corrected, not obeyed. */
const NOT_THE_AGENTS = new Set([
	"init",
	"result",
	"input_admitted",
	"abort_requested",
	"recovered",
	"reset",
	"relay.session",
	"request_claimed",
	"request_answered",
	"request_closed",
]);

/** Why an attempt stopped without ending its turn: another process will go on with it. */
export type Unfinished = "lost" | "left";

/** One attempt at a turn, under one lease. */
export class RunAttempt {
	readonly #settings: TurnSettings;
	readonly #sessions: Collection<SessionValue>;
	readonly #lease: Lease;
	readonly #run: OpenRun;
	readonly #agent: Agent;
	readonly #attempt: number;
	readonly #writer: EventWriter;
	readonly #stop = new AbortController();
	readonly #steps = new AbortableSteps();
	#aborted = false;
	#text: string;

	constructor(
		settings: TurnSettings,
		lease: Lease,
		run: OpenRun,
		agent: Agent,
		/** What the log says the assistant said in attempts that are not retracted. */
		attempt: { number: number; text: string },
	) {
		this.#settings = settings;
		this.#sessions = settings.sessions;
		this.#lease = lease;
		this.#run = run;
		this.#agent = agent;
		this.#attempt = attempt.number;
		this.#text = attempt.text;
		this.#writer = new EventWriter(settings.sessions, lease);
	}

	/** Someone asked to stop the turn. */
	abort(): void {
		this.#aborted = true;
		this.#stopSoon(new Error("The turn was aborted."));
	}

	/** Runs the agent to its end. Returns how the turn ended, or why it is left to another process. */
	async run(memory: SessionValue["memory"], leave: AbortSignal): Promise<TurnEnd | Unfinished> {
		const onLeave = () => this.#stopSoon(leave.reason);
		if (leave.aborted) onLeave();
		leave.addEventListener("abort", onLeave);
		const tooLong = setTimeout(
			() => this.#stopSoon(new Error("The turn took too long.")),
			this.#settings.turnMs,
		);
		try {
			const end = await this.#consume(memory);
			if (this.#aborted) return { status: "aborted" };
			if (leave.aborted) return this.#writer.lost ? "lost" : "left";
			if (this.#stop.signal.aborted) return this.#overTime();
			return end;
		} catch (error) {
			if (this.#writer.lost || isBatonError(error, "lease_lost")) return "lost";
			if (this.#aborted) return { status: "aborted" };
			if (leave.aborted) return "left";
			if (this.#stop.signal.aborted) return this.#overTime();
			return endOf(error);
		} finally {
			clearTimeout(tooLong);
			leave.removeEventListener("abort", onLeave);
		}
	}

	/** Commits the assistant's message, then the terminal event: exactly one, by the register. */
	async end(end: TurnEnd): Promise<number> {
		const { runId } = this.#run;
		if (end.status !== "dropped") {
			const row: TranscriptRow & { runId: string } = {
				role: "assistant",
				content: this.#text,
				timestamp: Date.now(),
				runId,
				status: end.status,
				...(end.status === "error" && { error: end.error.message }),
			};
			await commitRow(this.#sessions, this.#lease.id, row);
		}
		const result = { type: "result", run_id: runId, ...end, timestamp: new Date().toISOString() };
		const { registers } = await this.#sessions.state(this.#lease.id, EVENTS);
		const current = registers[RUN_REGISTER] === runId;
		const { last } = await this.#sessions.append(this.#lease.id, EVENTS, [result as Json], {
			lease: this.#lease,
			...(current && { swap: { register: RUN_REGISTER, from: runId, to: null } }),
		});
		return last;
	}

	async #consume(memory: SessionValue["memory"]): Promise<TurnEnd> {
		const turn = createAgentTurn({
			sessions: this.#sessions,
			lease: this.#lease,
			run: this.#run,
			attempt: this.#attempt,
			writer: this.#writer,
			signal: this.#stop.signal,
			memory: createAgentMemory(
				this.#sessions,
				this.#lease.id,
				this.#agent.name,
				memory[this.#agent.name] ?? {},
			),
			answerMs: this.#settings.answerMs,
			announce: ({ model }) => {
				if (model) this.#writer.write(this.#init(model));
			},
		});
		const events = this.#agent.run(turn);
		try {
			for (;;) {
				const next = await this.#steps.step(events.next());
				if (next.done) {
					await this.#writer.drain();
					return { status: "success", ...(next.value as TurnStats | undefined) };
				}
				await this.#take(next.value);
			}
		} catch (error) {
			// A generator that hangs is left behind; one that waits for us gets to clean up.
			events.return(undefined).catch(() => {});
			await this.#writer.drain();
			throw error;
		}
	}

	#take(event: AgentEvent): Promise<void> | undefined {
		const parsed = parseEvent(event);
		if (parsed.kind === "invalid" || NOT_THE_AGENTS.has(event.type)) {
			const details = { agent: this.#agent.name, type: event.type, parsed };
			this.#settings.log.warn(details, "An agent yielded an event that it may not.");
			return undefined;
		}
		if (event.type === "message" && event.role === "assistant") {
			this.#text = joinText(this.#text, event as { content?: string; delta?: boolean });
		} else if (event.type === "retract") {
			this.#text = "";
		}
		// The log numbers events; a number of the agent's own would pass for it.
		const { seq: _, ...rest } = event;
		return this.#writer.write({ ...rest, run_id: this.#run.runId } as Json);
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
		setTimeout(() => this.#steps.giveUp(reason), this.#settings.stopMs).unref();
	}

	#overTime(): TurnEnd {
		const minutes = Math.round(this.#settings.turnMs / 60_000);
		return failed("timeout", `The turn took longer than ${minutes} minutes and was stopped.`, true);
	}
}
