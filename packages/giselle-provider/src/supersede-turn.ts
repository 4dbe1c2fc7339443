import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { deliverAnswer } from "./deliver-answer";
import { readCallOptions } from "./read-call";
import { answersTo } from "./resume-turn";
import { pendingOf } from "./sessions";
import type { Settings } from "./settings";
import type { SessionMetadata } from "./types";

/**
 * A new message while requests are pending: they end, with the answers that the prompt brings or as
 * errors, and so does their turn. Whatever fails on the way, the new message goes on.
 */
export async function supersedeTurn(
	settings: Settings,
	options: LanguageModelV3CallOptions,
	loaded: SessionMetadata,
): Promise<void> {
	const { sessions, deps, endpoint, headers, warn } = settings;
	const id = loaded.providerSessionId;
	const claim = await sessions.claim(id);
	if (claim?.won) {
		const { metadata } = claim;
		const { claimId } = readCallOptions(options);
		const words = "The person wrote a new message instead.";
		const responses = answersTo(pendingOf(metadata), options, words);
		await Promise.all(
			responses.map((response) => deliverAnswer(settings, { ...metadata, claimId }, response)),
		).catch(() => warn("A request that a new message ended could not be told so."));
		const { geminiSessionId: sessionId, runId, cursor } = metadata;
		if (sessionId !== undefined && cursor !== undefined) {
			// Its agent may ask again, and nobody would be there to answer.
			const turn = { endpoint, sessionId, ...(runId && { runId }), ...(headers && { headers }) };
			await deps.abortCloudApi(turn).catch(() => warn("A turn could not be ended at the server."));
		}
	}
	await sessions.delete(id);
}
