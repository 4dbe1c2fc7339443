import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { Answers } from "./answers";
import { connect } from "./connect";
import type { Delivery } from "./deliver-answer";
import { EventReader } from "./event-reader";
import { GiselleError } from "./giselle-error";
import { lazyReader } from "./lazy-reader";
import { closeLiveConnection, saveLiveConnection, takeLiveConnection } from "./live-connections";
import { attach, type OpenedTurn, openTurn } from "./open-turn";
import { readCallOptions } from "./read-call";
import { extractSaid, extractToolResults } from "./read-prompt";
import { RelayRequests } from "./relay-requests";
import { errorResponse, toolResultToRelayResponse } from "./relay-response";
import { pendingOf } from "./sessions";
import type { Settings } from "./settings";
import type { LiveConnection, SessionMetadata } from "./types";

type Response = Record<string, unknown> & { requestId: string };

/** What this prompt answers to each of the requests; the last word on a request counts. */
export function answersTo(
	ids: readonly string[],
	options: LanguageModelV3CallOptions,
	otherwise: string,
): Response[] {
	const results = new Map(
		extractToolResults(options.prompt).map((each) => [each.toolCallId, each]),
	);
	return ids.map((id) => {
		const found = results.get(id);
		if (!found) return errorResponse(id, otherwise);
		return toolResultToRelayResponse(found.toolName, id, found.result) as Response;
	});
}

/** Seed 000, path B: hands the pending requests, which it has claimed, their answers and goes on. */
export async function resumeTurn(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	metadata: SessionMetadata,
): Promise<OpenedTurn> {
	const id = metadata.providerSessionId;
	const responses = answersTo(pendingOf(metadata), options, "The page gave no answer.");
	const { claimId } = readCallOptions(options);
	const live = takeCurrent(metadata);
	// A server without numbers keeps no log in which to note it.
	const resume = metadata.cursor === undefined ? undefined : live ? "hot" : "cold";
	const answers = new Answers(settings, responses, { claimId, resume });
	try {
		if (live) return await resumeHot(settings, options, metadata, answers, live);
		return await resumeCold(settings, options, metadata, answers);
	} catch (error) {
		// The answer did not get through: someone may try again, and find everything as it was.
		if (live) saveLiveConnection(id, live);
		await settings.sessions.update(id, { claim: undefined }).catch(() => {});
		throw error;
	}
}

/** The connection that waits with these very requests; an older one missed what came since. */
function takeCurrent(metadata: SessionMetadata): LiveConnection | undefined {
	const live = takeLiveConnection(metadata.providerSessionId);
	if (!live?.requestIds || `${live.requestIds}` === `${pendingOf(metadata)}`) return live;
	void closeLiveConnection(live);
	return undefined;
}

async function resumeHot(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	metadata: SessionMetadata,
	answers: Answers,
	live: LiveConnection,
): Promise<OpenedTurn> {
	// A server that can be attached to is read from while the answer is on its way to it.
	const deliver =
		metadata.cursor === undefined
			? await delivered(answers, metadata)
			: () => answers.deliver(metadata);
	const { relaySubscription } = live;
	return openTurn({
		...common(settings, options, metadata, answers),
		mode: "hot",
		deliver,
		// A connection with the seed's fields alone is read on from its buffer.
		events: live.events ?? new EventReader(live.reader, live.buffer),
		relayRequests:
			relaySubscription === null || relaySubscription instanceof RelayRequests
				? relaySubscription
				: new RelayRequests(relaySubscription),
	});
}

async function resumeCold(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	metadata: SessionMetadata,
	answers: Answers,
): Promise<OpenedTurn> {
	const { geminiSessionId: sessionId, sandboxId, cursor: after } = metadata;
	if (sessionId === undefined) throw expired(metadata.providerSessionId);
	const turn = { ...common(settings, options, metadata, answers), mode: "cold" as const };
	if (after !== undefined) {
		// The answer and the attach go out together. If the server repeats a request all the same, it
		// gets its answer with the fresh credentials of that attach.
		const reader = lazyReader(async () => (await attach(settings, metadata, { after })).reader);
		const deliver = () => answers.deliver(metadata);
		return openTurn({ ...turn, deliver, events: new EventReader(reader) });
	}
	// A server without numbers, as the seed has it: answer, then reconnect; the prompt stays unsaid.
	const deliver = await delivered(answers, metadata);
	const events = await connect(settings, { sessionId, ...(sandboxId && { sandboxId }) });
	return openTurn({ ...turn, deliver, events });
}

/** Hands the answers over now. A server without numbers has to have them before it is read from. */
async function delivered(
	answers: Answers,
	metadata: SessionMetadata,
): Promise<() => Promise<Delivery>> {
	const delivery = await answers.deliver(metadata);
	if (delivery === "stale") throw expired(metadata.providerSessionId);
	return async () => delivery;
}

/**
 * Goes on with a run whose request is being answered by someone else, or was answered before its
 * caller was lost. This call answers only what the server still waits for.
 */
export async function followTurn(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	metadata: SessionMetadata,
	responses: Response[],
): Promise<OpenedTurn> {
	const { geminiSessionId, cursor: after } = metadata;
	if (geminiSessionId === undefined || after === undefined) {
		throw new GiselleError(
			"resume_conflict",
			"This tool result was taken by another call already. Wait for its answer, or send a new message.",
		);
	}
	const { claimId } = readCallOptions(options);
	const isSecond = metadata.claim !== undefined;
	const answers = new Answers(settings, responses, { isSecond, claimId, resume: "cold" });
	const events = await attach(settings, metadata, { after });
	return openTurn({ ...common(settings, options, metadata, answers), mode: "cold", events });
}

function common(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	metadata: SessionMetadata,
	answers: Answers,
) {
	const said = extractSaid(options.prompt);
	return { settings, options, metadata, answers, said, cursor: metadata.cursor };
}

export function expired(sessionId: string): GiselleError {
	return new GiselleError(
		"session_expired",
		`The session ${sessionId} is no longer kept: a paused run waits 10 minutes for its tool results. ` +
			"Send a new message to go on with the conversation.",
	);
}
