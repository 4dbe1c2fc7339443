import type {
	LanguageModelV3,
	LanguageModelV3CallOptions,
	LanguageModelV3GenerateResult,
	LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import { APICallError } from "@ai-sdk/provider";
import { collectStream } from "./collect-stream";
import { GiselleError } from "./giselle-error";
import { findLiveRun, getLiveConnection } from "./live-connections";
import { attach, type OpenedTurn, openTurn } from "./open-turn";
import { readCallOptions } from "./read-call";
import { endsWithUserMessage, extractToolResults } from "./read-prompt";
import { answersTo, expired, followTurn, resumeTurn } from "./resume-turn";
import type { Claim, Sessions } from "./sessions";
import { readOptions, type Settings } from "./settings";
import { startTurn } from "./start-turn";
import type {
	ChatMemory,
	GiselleCallOptions,
	GiselleProviderOptions,
	SessionMetadata,
} from "./types";

/** The agent behind an agent API, as a language model of the AI SDK. */
export class GiselleAgentModel implements LanguageModelV3 {
	readonly specificationVersion = "v3" as const;
	readonly provider = "giselle";
	readonly modelId = "giselle-agent";
	readonly supportedUrls = {};
	readonly #settings: Settings;

	constructor(options: GiselleProviderOptions) {
		this.#settings = readOptions(options);
	}

	/**
	 * Starts a run, goes on with one that waits for tool results, or replays one. Which of them is
	 * judged by the pending request and the prompt's last message alone.
	 */
	async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
		options.abortSignal?.throwIfAborted();
		const { stream, writer } = await this.#open(options, readCallOptions(options));
		const id = writer.metadata.providerSessionId;
		return { stream, response: { headers: { "x-giselle-session-id": id } } };
	}

	async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
		return collectStream(await this.doStream(options));
	}

	async #open(options: LanguageModelV3CallOptions, call: GiselleCallOptions): Promise<OpenedTurn> {
		const settings = this.#settings;
		const { sessions } = settings;
		const isNew = endsWithUserMessage(options.prompt);
		const answered = isNew ? [] : extractToolResults(options.prompt).map((each) => each.toolCallId);
		const find = async (id: string | undefined): Promise<Claim | null> => {
			if (id === undefined) return null;
			if (!call.attach && !isNew) return sessions.claim(id, { chatId: call.chatId, answered });
			const metadata = await sessions.load(id, call.chatId);
			return metadata && { won: false, metadata };
		};
		if (!call.attach && !isNew) {
			const own = await claimOwn(sessions, call, answered);
			if (own?.won) return resumeTurn(settings, options, own.metadata);
		}
		// With the run's id at hand, both are looked up at once.
		const early = call.sessionId === undefined ? undefined : find(call.sessionId);
		const [chat, named] = await Promise.all([this.#loadChat(call), early]);
		const claim = early ? (named ?? null) : await find(chat?.providerSessionId);
		const metadata = claim?.metadata ?? null;
		if (call.attach) return this.#attach(options, call, chat, metadata);
		if (isNew) return startTurn(settings, options, call, chat, metadata);
		if (claim?.won) return resumeTurn(settings, options, claim.metadata);
		// Another call has the request, or the run's record is gone or says that all is answered. Where
		// the server can be attached to, it knows better: what it still waits for gets its answer.
		const known = metadata ?? recall(call, chat);
		if (!known || (!metadata && known.cursor === undefined)) {
			throw expired(call.sessionId ?? call.chatId ?? "");
		}
		return followTurn(settings, options, known, answersTo(answered, options, ""));
	}

	/** A conversation without a chat id is remembered by the run that began it. */
	async #loadChat({ chatId, sessionId }: GiselleCallOptions): Promise<ChatMemory | null> {
		const id = chatId ?? sessionId;
		return id === undefined ? null : this.#settings.sessions.loadChat(id);
	}

	async #attach(
		options: LanguageModelV3CallOptions,
		call: GiselleCallOptions,
		chat: ChatMemory | null,
		run: SessionMetadata | null,
	): Promise<OpenedTurn> {
		const settings = this.#settings;
		const nothing = () =>
			new GiselleError("nothing_to_attach", "There is no turn of this chat to attach to.");
		const metadata = run ?? recall(call, chat);
		if (metadata?.geminiSessionId === undefined) throw nothing();
		const events = await attach(settings, metadata, {}).catch((error: unknown) => {
			throw APICallError.isInstance(error) && error.statusCode === 404 ? nothing() : error;
		});
		return openTurn({ settings, options, mode: "attach", metadata, events });
	}
}

/** A run that paused in this process, as it was then: most often nobody has touched it since. */
async function claimOwn(
	sessions: Sessions,
	{ sessionId, chatId }: GiselleCallOptions,
	answered: readonly string[],
): Promise<Claim | null> {
	const id = sessionId ?? (chatId === undefined ? undefined : findLiveRun(chatId));
	const expected = id === undefined ? undefined : getLiveConnection(id)?.stored;
	return id === undefined || !expected ? null : sessions.claim(id, { chatId, expected, answered });
}

/** A run from what the chat remembers, when its own record has expired. */
function recall(call: GiselleCallOptions, chat: ChatMemory | null): SessionMetadata | null {
	const geminiSessionId = chat?.geminiSessionId ?? call.agentSessionId;
	if (geminiSessionId === undefined) return null;
	const { sandboxId, cursor, runId, repeated } = chat ?? {};
	return {
		providerSessionId: chat?.providerSessionId ?? call.sessionId ?? crypto.randomUUID(),
		createdAt: Date.now(),
		geminiSessionId,
		...(sandboxId !== undefined && { sandboxId }),
		...(call.chatId !== undefined && { chatId: call.chatId }),
		...(cursor !== undefined && { cursor, runId, repeated }),
	};
}
