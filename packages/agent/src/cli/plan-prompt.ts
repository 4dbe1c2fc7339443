import * as z from "zod";
import type { HistoryMessage } from "../agent";

/** Sent to a CLI whose process was lost in the middle of a turn, on top of its own session. */
export const CONTINUATION_PROMPT =
	"The process that ran you was interrupted before your answer to my last message was complete. Go on from there: do not repeat what you already said, do not redo steps whose results you already have, and finish the answer.";

/** The CLI's own session, as remembered between turns. */
export const cliSessionSchema = z.object({
	id: z.string().min(1),
	/** Its files are on this machine alone. */
	host: z.string(),
	/** The turn whose message the CLI is known to have. */
	promptedRun: z.string().optional(),
});

export type CliSession = z.infer<typeof cliSessionSchema>;

export interface PromptInput {
	message: string;
	document?: string;
	runId: string;
	attempt: number;
	host: string;
	session: CliSession | null;
	history: readonly HistoryMessage[];
	/** The end of what was said in an earlier attempt at this turn. */
	said: string;
}

export interface PromptPlan {
	prompt: string;
	/** The CLI's session to go on with. */
	resume?: string;
	/** True when the prompt asks to go on with an answer that was begun. */
	continues: boolean;
	/** Something that the person should know. */
	notice?: string;
}

/** Decides what a CLI is told, and in which of its sessions. */
export function planPrompt(input: PromptInput): PromptPlan {
	const { session, host, runId, attempt, history } = input;
	const message = withDocument(input.message, input.document);
	if (session === null || session.host !== host) {
		const plan = { prompt: withHistory(message, history), continues: false };
		if (session === null) return plan;
		const notice =
			"The agent's own session is on another machine. It starts a new one, with the conversation so far as its first message.";
		return { ...plan, notice };
	}
	// Only when the CLI has the message may it be told to go on: else the message would be lost.
	if (attempt > 1 && session.promptedRun === runId) {
		return { prompt: continuation(input.said), resume: session.id, continues: true };
	}
	return { prompt: message, resume: session.id, continues: false };
}

function continuation(said: string): string {
	if (said === "") return CONTINUATION_PROMPT;
	return `${CONTINUATION_PROMPT}\n\nWhat I have already seen of it ends with:\n<seen>\n${said}\n</seen>`;
}

function withDocument(message: string, document: string | undefined): string {
	return document === undefined ? message : `${message}\n\n<document>\n${document}\n</document>`;
}

const HISTORY_MESSAGES = 50;
const HISTORY_CHARS = 32_000;

function withHistory(message: string, history: readonly HistoryMessage[]): string {
	const kept: string[] = [];
	let room = HISTORY_CHARS;
	for (const { role, content } of history.slice(-HISTORY_MESSAGES).toReversed()) {
		room -= content.length;
		if (room < 0) break;
		kept.unshift(`${role}: ${content}`);
	}
	if (kept.length === 0) return message;
	return `<conversation_so_far>\n${kept.join("\n\n")}\n</conversation_so_far>\n\n${message}`;
}
