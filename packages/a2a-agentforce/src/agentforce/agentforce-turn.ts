import { type AgentEvent, AgentFailure, type Turn, type TurnStats } from "@baton/agent";
import { isBatonError } from "@baton/session";
import type {
	Hold,
	SessionLog,
	SessionManager,
	SessionMapping,
	SharedSessionStore,
} from "../session";
import type { AgentforceClient } from "./agentforce-client";
import { AgentforceError } from "./agentforce-error";
import { Answer } from "./answer";

interface AgentforceTurnParts {
	turn: Turn;
	client: AgentforceClient;
	store: SharedSessionStore;
	manager: SessionManager;
	tenantId: string;
	log: SessionLog;
}

/** A person who stops a turn waits two seconds at the most. */
const STOP_MS = 1_500;
/** Sessions that a turn may find closed by others before it gives up. */
const MAX_SESSIONS = 3;

const CONTEXT_LOST =
	"The earlier Agentforce session is over, so the agent does not remember the conversation before this message.";

/** One turn with Agentforce. */
export class AgentforceTurn {
	readonly #parts: AgentforceTurnParts;
	readonly #contextId: string;
	#answer = new Answer();
	#hold: Hold | null = null;
	#mapping: SessionMapping | null = null;
	#hasLostContext = false;
	/** What the task is, in A2A's words. */
	#state: "working" | "completed" | "input-required" | "failed" | "canceled" = "working";

	constructor(parts: AgentforceTurnParts) {
		this.#parts = parts;
		this.#contextId = parts.turn.sessionId;
	}

	async *run(): AsyncGenerator<AgentEvent, TurnStats | undefined, undefined> {
		yield* this.#reserve();
		try {
			yield* this.#converse();
		} catch (error) {
			if (!(error instanceof AgentforceError) || error.kind !== "session_gone") throw error;
			// Nothing of the message was taken there, so it may be sent again; but only once.
			await this.#parts.manager.closeSession(this.#contextId, "expired");
			await this.#release();
			yield* this.#reserve();
			yield* this.#converse();
		}
		return this.#conclude();
	}

	/** Frees what the turn held. A turn that a person stopped ends its session, for good. */
	async finish(wasAborted: boolean): Promise<void> {
		const { manager, turn, log } = this.#parts;
		try {
			if (wasAborted) {
				this.#state = "canceled";
				await this.#endSession("UserRequest", STOP_MS);
			} else if (this.#state === "working") {
				this.#state = "failed";
			}
			if (this.#mapping) {
				const status = { state: this.#state, timestamp: new Date().toISOString() };
				const { text } = this.#answer;
				const artifacts = text ? [{ artifactId: turn.runId, parts: [{ text }] }] : undefined;
				await manager.updateTaskState(this.#contextId, status, artifacts, turn.runId);
			}
		} catch (error) {
			log.warn({ error, sessionId: this.#contextId }, "The end of a turn was not noted.");
		} finally {
			await this.#release();
		}
	}

	/** Sees that the context has a session in use, and tells when it is a new one without memory. */
	async *#openSession(): AsyncGenerator<AgentEvent, void, undefined> {
		const { turn, client, manager, tenantId } = this.#parts;
		const found = await manager.getByContextId(this.#contextId);
		if (found?.state === "active" && found.afAgentId === client.agentId) return;
		if (found?.state === "active") await manager.closeSession(this.#contextId, "completed");
		const isContinued = found !== null || (await turn.history()).length > 0;
		const { sessionId } = await client.startSession(turn.signal);
		const mapping = await manager.createSession({
			contextId: this.#contextId,
			taskId: turn.runId,
			afSessionId: sessionId,
			afAgentId: client.agentId,
			tenantId,
		});
		if (mapping.afSessionId !== sessionId) {
			await client.endSession(sessionId, "Other", { timeoutMs: STOP_MS }).catch(() => {});
		} else if (isContinued && !this.#hasLostContext) {
			this.#hasLostContext = true;
			yield { type: "context_lost", reason: found?.state === "completed" ? "ended" : "expired" };
		}
	}

	/** Takes the context's session for this turn alone, and the number of its next message. */
	async *#reserve(): AsyncGenerator<AgentEvent, void, undefined> {
		const { turn, store, manager } = this.#parts;
		for (let sessions = 1; ; sessions++) {
			yield* this.#openSession();
			try {
				this.#hold = await store.hold(this.#contextId, turn.signal);
				this.#mapping = await manager.beginMessage(this.#contextId, turn.runId);
				return;
			} catch (error) {
				await this.#release();
				// Whoever had it before closed it, or it was cleaned up.
				const isOver = isBatonError(error, "conflict") || isBatonError(error, "not_found");
				if (!isOver || sessions === MAX_SESSIONS) throw error;
			}
		}
	}

	async *#converse(): AsyncGenerator<AgentEvent, void, undefined> {
		const { turn, client } = this.#parts;
		const hold = this.#hold as Hold;
		const mapping = this.#mapping as SessionMapping;
		this.#answer = new Answer();
		const { lost } = hold;
		const { question } = turn.memory.get() as { question?: string };
		const messages = client.stream({
			sessionId: mapping.afSessionId,
			sequenceId: mapping.afSequenceId,
			text: textOf(turn),
			...(question !== undefined && { inReplyToMessageId: question }),
			signal: AbortSignal.any([turn.signal, lost]),
		});
		try {
			for await (const message of messages) {
				yield* this.#answer.take(message);
				if (this.#answer.hasEnded || this.#answer.failure) break;
			}
		} catch (error) {
			if (lost.aborted && !turn.signal.aborted) throw lostHold();
			throw error;
		}
		if (question !== undefined) await turn.memory.set({ question: null });
	}

	async #conclude(): Promise<TurnStats> {
		const { turn, log } = this.#parts;
		const answer = this.#answer;
		if (answer.sessionEnded) {
			await this.#parts.manager.closeSession(this.#contextId, "completed");
		} else if (answer.isEscalated) {
			await this.#endSession("Transfer");
		}
		if (answer.failure) {
			const { code, details } = answer.failure;
			log.warn({ sessionId: this.#contextId, code, details }, "Agentforce failed.");
			const message = `Agentforce could not do this (${code}). The message may have had effects already.`;
			throw new AgentFailure("failed", message, { retryable: true });
		}
		if (!answer.isComplete) {
			const message = "Agentforce's answer broke off; the message may have had effects already.";
			throw new AgentforceError("failed", message);
		}
		if (answer.question?.id) await turn.memory.set({ question: answer.question.id });
		this.#state = answer.question ? "input-required" : "completed";
		const notice = this.#notice();
		const { planId, feedbackId } = answer;
		return {
			stats: { agentforce: { sessionId: this.#mapping?.afSessionId, planId, feedbackId } },
			...(notice && { notice }),
		};
	}

	#notice(): string {
		const { isEscalated, sessionEnded } = this.#answer;
		return [
			this.#hasLostContext && CONTEXT_LOST,
			isEscalated && "Agentforce hands this conversation to a person.",
			sessionEnded && "Agentforce ended the session; the next message starts a new one.",
		]
			.filter(Boolean)
			.join(" ");
	}

	/** First in our own books, so that nobody uses it meanwhile, then at Salesforce. */
	async #endSession(reason: "UserRequest" | "Transfer", timeoutMs?: number): Promise<void> {
		const { manager, client, log } = this.#parts;
		const mapping = this.#mapping ?? (await manager.getByContextId(this.#contextId));
		if (mapping?.state !== "active") return;
		await manager.closeSession(this.#contextId, "completed");
		await client
			.endSession(mapping.afSessionId, reason, { ...(timeoutMs && { timeoutMs }) })
			.catch((error: unknown) => {
				log.warn({ error, sessionId: this.#contextId }, "An Agentforce session was not ended.");
			});
	}

	async #release(): Promise<void> {
		const hold = this.#hold;
		this.#hold = null;
		await hold?.release();
	}
}

function textOf({ input: { content, document } }: Turn): string {
	return document === undefined ? content : `${content}\n\n${document}`;
}

function lostHold(): AgentFailure {
	const message =
		"This process lost the Agentforce session to another one. Send the message again.";
	return new AgentFailure("busy", message, { retryable: true });
}
