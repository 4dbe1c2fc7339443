import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { Answers } from "./answers";
import { type Asked, connect } from "./connect";
import type { Delivery } from "./deliver-answer";
import type { EventReader } from "./event-reader";
import { warningsOf } from "./read-call";
import type { RelayRequests } from "./relay-requests";
import { Said } from "./said";
import { SessionWriter } from "./session-writer";
import type { Settings } from "./settings";
import { TurnConnection, type TurnConnectionOptions } from "./turn-connection";
import { type TurnMode, TurnStream } from "./turn-stream";
import type { SessionMetadata } from "./types";

interface OpenTurn {
	settings: Settings;
	options: LanguageModelV3CallOptions;
	mode: TurnMode;
	metadata: SessionMetadata;
	events: EventReader;
	/** Where the last leg ended; without, lines of any number count. */
	cursor?: number;
	relayRequests?: RelayRequests | null;
	answers?: Answers;
	/** Sends the answers on their way; called once, when the stream is read. */
	deliver?: () => Promise<Delivery>;
	/** What the caller shows of this turn already. */
	said?: string;
	/** Sends the message again, to a server that knows it by its key. */
	resend?: TurnConnectionOptions["resend"];
}

export interface OpenedTurn {
	stream: TurnStream["stream"];
	writer: SessionWriter;
}

/** A connection that is there, as a stream of parts. It owns the connection from here. */
export function openTurn(turn: OpenTurn): OpenedTurn {
	const { settings, options, mode, metadata, events, cursor, relayRequests } = turn;
	const writer = new SessionWriter(settings.sessions, metadata);
	const connection = new TurnConnection({
		settings,
		events,
		relayRequests,
		...(cursor !== undefined && { cursor, runId: metadata.runId }),
		...(turn.resend && { resend: turn.resend }),
		sessionId: metadata.geminiSessionId,
	});
	const { stream } = new TurnStream({
		settings,
		mode,
		connection,
		writer,
		said: turn.said === undefined ? new Said() : new Said(turn.said, metadata.repeated),
		answers: turn.answers ?? new Answers(settings),
		...(turn.deliver && { deliver: turn.deliver }),
		warnings: warningsOf(options),
		...(options.abortSignal && { abortSignal: options.abortSignal }),
	});
	return { stream, writer };
}

/** Attaches to a run after a cursor, or to the latest turn from its start. Never prompts. */
export function attach(
	settings: Settings,
	metadata: SessionMetadata,
	asked: Asked,
): Promise<EventReader> {
	return connect(settings, { sessionId: metadata.geminiSessionId, attach: true, ...asked });
}
