import type { Collection, Json, Lease } from "@baton/session";
import type { Agent } from "../agent";
import { closePending } from "./close-pending";
import type { OpenRun } from "./open-runs";
import { EVENTS, type SessionValue } from "./session-value";
import { findAssistantRow } from "./transcript";
import { failed, overTime, type TurnEnd } from "./turn-end";
import type { TurnSettings } from "./turn-settings";
import { traceField } from "./turn-trace";

/** What is to be done about a turn whose runner was lost. */
type Recovery = { kind: "end"; end: TurnEnd } | { kind: "run"; attempt: number; text: string };

/**
 * Takes over a turn: ends what the lost process left behind, closes the requests of its attempt, and
 * by the agent's policy goes on, starts again, or ends the turn. All of it is visible in the log.
 */
export async function recoverRun(
	settings: TurnSettings,
	lease: Lease,
	run: OpenRun,
	agent: Agent,
	memory: SessionValue["memory"],
): Promise<Recovery> {
	const { sessions } = settings;
	const committed = await findAssistantRow(sessions, lease.id, run.runId);
	if (committed) return { kind: "end", end: endOfRow(committed) };
	await agent.cleanUp?.(memory[agent.name] ?? {}).catch((error: unknown) => {
		settings.log.warn({ sessionId: lease.id, error }, "What a lost process left was not ended.");
	});
	await closePending(sessions, lease, "recovered");
	if (run.abortRequested) return { kind: "end", end: { status: "aborted" } };
	if (isOverTime(run, settings.turnMs)) return { kind: "end", end: overTime(settings.turnMs) };
	const losses = countLosses(run, agent);
	if (losses >= settings.maxAttempts) {
		const message = `The process that ran this turn was lost ${losses} times. Send the message again to try once more.`;
		return { kind: "end", end: failed("runner_lost", message, true) };
	}
	if (agent.recovery === "fail") {
		const message =
			"The process that ran this turn was lost, and the message may have had effects already. Check before you send it again.";
		return { kind: "end", end: failed("runner_lost", message, true) };
	}
	return announce(sessions, lease, run, agent, losses);
}

/**
 * How often in a row its process was lost without a step forward: a turn that kills whatever runs it
 * must not go on for ever. A process that stopped as planned says nothing against the turn.
 */
function countLosses(run: OpenRun, agent: Agent): number {
	if (run.handedOver) return run.losses;
	return agent.recovery === "resume" && run.madeProgress ? 1 : run.losses + 1;
}

/** A turn that goes forward a little between its losses is bounded by its time alone. */
function isOverTime({ startedAt = Number.NaN }: OpenRun, turnMs: number): boolean {
	return Date.now() - startedAt > turnMs;
}

async function announce(
	sessions: Collection<SessionValue>,
	lease: Lease,
	run: OpenRun,
	agent: Agent,
	losses: number,
): Promise<Recovery> {
	const attempt = run.attempt + 1;
	const recovered: Json = {
		type: "recovered",
		run_id: run.runId,
		policy: agent.recovery,
		attempt,
		losses,
		reason: `The process that ran this turn ${run.handedOver ? "stopped and handed it over" : "was lost"}.`,
		...(agent.continuation !== undefined && { prompt: agent.continuation }),
		...traceField(),
	};
	const events: Json[] = [recovered];
	if (agent.recovery === "retry") {
		const { last } = await sessions.state(lease.id, EVENTS);
		events.unshift({ type: "retract", run_id: run.runId, up_to: last, reason: "retry" });
	}
	await sessions.append(lease.id, EVENTS, events, { lease });
	return { kind: "run", attempt, text: agent.recovery === "retry" ? "" : run.text };
}

function endOfRow(row: { status?: string; error?: string }): TurnEnd {
	if (row.status === "error") return failed("agent", row.error ?? "The agent failed.");
	return { status: row.status === "aborted" ? "aborted" : "success" };
}
