import { APICallError, type LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { AbortTurn } from "./abort-turn";
import { connect, connectToSend } from "./connect";
import { GiselleError } from "./giselle-error";
import { identifyMessage, rememberUnheard } from "./identify-message";
import { type OpenedTurn, openTurn } from "./open-turn";
import { extractUserMessage } from "./read-prompt";
import { releaseReader } from "./release-reader";
import { SessionWriter } from "./session-writer";
import { pendingOf } from "./sessions";
import type { Settings } from "./settings";
import { supersedeTurn } from "./supersede-turn";
import { TurnConnection } from "./turn-connection";
import type { ChatMemory, GiselleCallOptions, SessionMetadata } from "./types";

/** Seed 000, path A: a new run, in a new conversation or in the one that is remembered. */
export async function startTurn(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	call: GiselleCallOptions,
	memory: ChatMemory | null,
	/** The chat's run. */
	run: SessionMetadata | null,
): Promise<OpenedTurn> {
	const message = extractUserMessage(options.prompt);
	if (message === "") {
		throw new GiselleError("invalid_call", "The prompt has no text of the user to send.");
	}
	const sending = await identifyMessage(message, options, call, run);
	if (run && !sending.isSame && pendingOf(run).length > 0) {
		await supersedeTurn(settings, options, run);
	}
	const { sent } = sending;
	const before = run && sending.isSame ? run : null;
	const { geminiSessionId = call.agentSessionId, sandboxId } =
		(memory?.geminiSessionId === undefined ? run : memory) ?? {};
	const metadata: SessionMetadata = {
		...(before ?? { providerSessionId: crypto.randomUUID(), createdAt: Date.now() }),
		sent,
		...(geminiSessionId !== undefined && { geminiSessionId }),
		...(sandboxId !== undefined && { sandboxId }),
		...(call.chatId !== undefined && { chatId: call.chatId }),
	};
	const storing = store(settings, metadata, before !== null);
	// A message under the caller's own key is known again by that, whatever is stored of it here.
	if (call.idempotencyKey === undefined) await storing;
	const request = {
		message,
		idempotencyKey: sent.key,
		...(settings.agent !== undefined && { agent: settings.agent }),
		...(geminiSessionId !== undefined && { sessionId: geminiSessionId }),
		...(sandboxId !== undefined && { sandboxId }),
	};
	try {
		const connecting = connectToSend(settings, request);
		const { events, replayed } = await orAborted(connecting, options.abortSignal, (late) => {
			// The server may have taken the message: its turn is ended there too.
			const connection = new TurnConnection({ settings, events: late.events });
			const writer = new SessionWriter(settings.sessions, metadata);
			new AbortTurn({ settings, connection, writer }).begin(false);
		});
		await storing.catch((error: unknown) => {
			void releaseReader(events);
			throw error;
		});
		return openTurn({
			settings,
			options,
			mode: replayed ? "attach" : "new",
			metadata,
			events,
			...(replayed !== undefined && {
				resend: (signal) => connect(settings, { ...request, signal }),
			}),
		});
	} catch (error) {
		await storing.catch(() => {});
		const isUnknown = mayHaveArrived(error);
		if (isUnknown) rememberUnheard(options, sent);
		// The chat finds the message again; without one, the caller's prompt does.
		if (!isUnknown || call.chatId === undefined) {
			await settings.sessions.delete(metadata.providerSessionId).catch(() => {});
		}
		throw error;
	}
}

/** Begins at once; who waits for it learns of a failure. */
function store(settings: Settings, metadata: SessionMetadata, isKnown: boolean): Promise<unknown> {
	const { sessions } = settings;
	const storing = isKnown
		? sessions.save(metadata, { sent: metadata.sent })
		: sessions.create(metadata);
	storing.catch(() => {});
	return storing;
}

/** Nothing was heard of the server, or that it could not answer: it may have the message all the same. */
function mayHaveArrived(error: unknown): boolean {
	return APICallError.isInstance(error) && error.isRetryable;
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
