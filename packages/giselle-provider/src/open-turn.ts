import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { Answers } from "./answers";
import type { Delivery } from "./deliver-answer";
import { EventReader } from "./event-reader";
import { warningsOf } from "./read-call";
import type { RelayRequests } from "./relay-requests";
import { Said } from "./said";
import { SessionWriter } from "./session-writer";
import type { Settings } from "./settings";
import { TurnConnection } from "./turn-connection";
import { type TurnMode, TurnStream } from "./turn-stream";
import type { CloudApiRequest, SessionMetadata } from "./types";

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
	/** What becomes of the answers that are on their way. */
	delivering?: Promise<Delivery>;
	/** What the caller shows of this turn already. */
	said?: string;
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
		sessionId: metadata.geminiSessionId,
	});
	const { stream } = new TurnStream({
		settings,
		mode,
		connection,
		writer,
		said: turn.said === undefined ? new Said() : new Said(turn.said, metadata.repeated),
		answers: turn.answers ?? new Answers(settings),
		...(turn.delivering && { delivering: turn.delivering }),
		warnings: warningsOf(options),
		...(options.abortSignal && { abortSignal: options.abortSignal }),
	});
	return { stream, writer };
}

type Asked = Partial<CloudApiRequest>;

/** Asks the agent API. */
export async function connect(settings: Settings, asked: Asked): Promise<EventReader> {
	const { endpoint, headers, deps } = settings;
	const { reader } = await deps.connectCloudApi({
		endpoint,
		message: "",
		...(headers && { headers }),
		...asked,
	});
	return new EventReader(reader);
}

/** Attaches to a run after a cursor, or to the latest turn from its start. Never prompts. */
export function attach(
	settings: Settings,
	metadata: SessionMetadata,
	asked: Asked,
): Promise<EventReader> {
	return connect(settings, { sessionId: metadata.geminiSessionId, attach: true, ...asked });
}
