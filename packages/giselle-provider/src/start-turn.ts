import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { AbortTurn } from "./abort-turn";
import { GiselleError } from "./giselle-error";
import { connect, type OpenedTurn, openTurn } from "./open-turn";
import { extractUserMessage } from "./read-prompt";
import { SessionWriter } from "./session-writer";
import type { Settings } from "./settings";
import { TurnConnection } from "./turn-connection";
import type { ChatMemory, GiselleCallOptions, SessionMetadata } from "./types";

/** Seed 000, path A: a new run, in a new conversation or in the one that is remembered. */
export async function startTurn(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	call: GiselleCallOptions,
	memory: ChatMemory | null,
): Promise<OpenedTurn> {
	const message = extractUserMessage(options.prompt);
	if (message === "") {
		throw new GiselleError("invalid_call", "The prompt has no text of the user to send.");
	}
	const metadata: SessionMetadata = {
		providerSessionId: crypto.randomUUID(),
		createdAt: Date.now(),
		...(memory?.geminiSessionId !== undefined && { geminiSessionId: memory.geminiSessionId }),
		...(memory?.sandboxId !== undefined && { sandboxId: memory.sandboxId }),
		...(call.chatId !== undefined && { chatId: call.chatId }),
	};
	await settings.sessions.create(metadata);
	try {
		const connecting = connect(settings, {
			message,
			...(settings.agent !== undefined && { agent: settings.agent }),
			...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey }),
			...(metadata.geminiSessionId !== undefined && { sessionId: metadata.geminiSessionId }),
			...(metadata.sandboxId !== undefined && { sandboxId: metadata.sandboxId }),
		});
		const events = await orAborted(connecting, options.abortSignal, (late) => {
			// The server may have taken the message: its turn is ended there too.
			const connection = new TurnConnection({ settings, events: late });
			const writer = new SessionWriter(settings.sessions, metadata);
			new AbortTurn({ settings, connection, writer }).begin(false);
		});
		return openTurn({ settings, options, mode: "new", metadata, events });
	} catch (error) {
		await settings.sessions.delete(metadata.providerSessionId).catch(() => {});
		throw error;
	}
}

/** Waits for work, or for the caller to lose interest; what comes then is cleaned up. */
async function orAborted<T>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
	cleanUp: (late: T) => void,
): Promise<T> {
	if (!signal) return work;
	let stop = () => {};
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(signal.reason);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop);
	});
	try {
		return await Promise.race([work, aborted]);
	} catch (error) {
		if (signal.aborted) work.then(cleanUp, () => {});
		throw error;
	} finally {
		signal.removeEventListener("abort", stop);
	}
}
