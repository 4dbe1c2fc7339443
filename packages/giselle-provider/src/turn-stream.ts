import type { LanguageModelV3StreamPart, SharedV3Warning } from "@ai-sdk/provider";
import type { EventType } from "@baton/protocol";
import { AbortTurn } from "./abort-turn";
import type { Answers } from "./answers";
import type { Delivery } from "./deliver-answer";
import { GiselleError } from "./giselle-error";
import { keepLive } from "./keep-live";
import { isRelayRequest } from "./map-relay-request";
import { mapTurnEvent } from "./map-turn-event";
import { noUsage } from "./map-usage";
import { type CloudApiEvent, createMapperContext, finishStream } from "./ndjson-mapper";
import { nextTask } from "./next-task";
import { OpenRequests } from "./open-requests";
import { releaseReader } from "./release-reader";
import type { Said } from "./said";
import type { SessionWriter } from "./session-writer";
import type { Settings } from "./settings";
import type { Over, TurnConnection } from "./turn-connection";

type Controller = ReadableStreamDefaultController<LanguageModelV3StreamPart>;

/** How a stream came to be: told in `providerMetadata.giselle.resume`. */
export type TurnMode = "new" | "hot" | "cold" | "attach";

interface TurnStreamOptions {
	settings: Settings;
	mode: TurnMode;
	connection: TurnConnection;
	writer: SessionWriter;
	said: Said;
	answers: Answers;
	deliver?: () => Promise<Delivery>;
	warnings?: SharedV3Warning[];
	abortSignal?: AbortSignal;
}

/** What the agent says and does: it ends a step that has open requests. */
const CONTENT: ReadonlySet<string> = new Set<EventType | "exit">([
	"message",
	"tool_use",
	"tool_result",
	"result",
	"error",
	"exit",
]);

/** How much longer a replay may take to bring the answer that follows a request in the log. */
const REPLAY_MS = 200;

/** One leg of a turn as a stream of parts: from here to the end, or to the next pause. */
export class TurnStream {
	readonly stream: ReadableStream<LanguageModelV3StreamPart>;
	readonly #options: TurnStreamOptions;
	readonly #context = createMapperContext();
	readonly #requests: OpenRequests;
	readonly #abort: AbortTurn;
	readonly #graceMs: number;
	readonly #onAbort = () => this.#stop(this.#options.abortSignal?.reason);
	#controller: Controller | null = null;
	#isOver = false;
	#isReading = false;
	#isPausing = false;
	#hasDelivered = false;
	#mode: TurnMode;

	constructor(options: TurnStreamOptions) {
		this.#options = options;
		this.#mode = options.mode;
		this.#requests = new OpenRequests(options.answers.ids);
		this.#abort = new AbortTurn(options);
		const { requestGraceMs } = options.settings;
		this.#graceMs = options.mode === "attach" ? requestGraceMs + REPLAY_MS : requestGraceMs;
		if (options.settings.showAgentTools) this.#context.agentTools = true;
		this.stream = new ReadableStream<LanguageModelV3StreamPart>({
			start: (controller) => this.#start(controller),
			pull: (controller) => this.#pull(controller),
			cancel: () => this.#stop(),
		});
	}

	#start(controller: Controller): void {
		this.#controller = controller;
		const { abortSignal, warnings = [], writer } = this.#options;
		if (warnings.length > 0) controller.enqueue({ type: "stream-start", warnings });
		const id = writer.metadata.providerSessionId;
		controller.enqueue({ type: "response-metadata", id, timestamp: new Date() });
		if (abortSignal?.aborted) this.#onAbort();
		else abortSignal?.addEventListener("abort", this.#onAbort);
	}

	/**
	 * What the page answered goes out once someone reads. Setting up the request takes longer than all
	 * that came before it, so whoever waits for the first part has that first.
	 */
	async #deliver(): Promise<void> {
		const { deliver } = this.#options;
		if (!deliver || this.#hasDelivered) return;
		this.#hasDelivered = true;
		await nextTask();
		if (this.#isOver) return;
		deliver().then(
			(delivery) => this.#delivered(delivery),
			(error: unknown) => this.#undelivered(error),
		);
	}

	#delivered(delivery: Delivery): void {
		const { writer, connection } = this.#options;
		// The agent was faster than the relay's reply: the record is about what came since.
		if (this.#isOver || this.#isPausing) return;
		// No later call is to answer these again.
		writer.write({ pendingRequestId: undefined, pendingRequestIds: [], claim: undefined });
		// Fresh credentials come with an attach, and the server asks again for what it has not got.
		if (delivery !== "stale" || this.#mode !== "hot") return;
		this.#mode = "cold";
		connection.renew();
	}

	/** The relay cannot be reached: a later call may bring the answer. */
	async #undelivered(cause: unknown): Promise<void> {
		if (this.#isOver || this.#isPausing) return;
		const { writer } = this.#options;
		writer.write({ claim: undefined });
		await writer.flush().catch(() => {});
		const message = "The page's answer could not be handed to the agent API. Try again.";
		const error = new GiselleError("relay_refused", message, { retryable: true, cause });
		if (this.#controller) await this.#fail(this.#controller, error);
	}

	/** Reads until there is something to show, or the leg is over. */
	async #pull(controller: Controller): Promise<void> {
		const { connection } = this.#options;
		await this.#deliver();
		let shown = false;
		while (!shown && !this.#isOver) {
			const wait = this.#requests.isEmpty ? undefined : this.#graceMs;
			this.#isReading = true;
			const batch = await connection.next(wait);
			this.#isReading = false;
			if (this.#isOver) return this.#abort.takeOver(Array.isArray(batch) ? batch : []);
			if (batch === "silent") return this.#pause(controller);
			if (!Array.isArray(batch)) return this.#atEnd(controller, batch);
			for (let index = 0; index < batch.length; index++) {
				const event = batch[index]!;
				if (!connection.isOurs(event)) continue;
				if (!this.#requests.isEmpty && CONTENT.has(event.type ?? "")) {
					connection.events.unread(batch.slice(index));
					return this.#pause(controller);
				}
				connection.advance(event);
				const parts = this.#take(event);
				for (const part of parts) controller.enqueue(part);
				shown ||= parts.length > 0;
				if (event.type === "result") return this.#end(controller);
			}
		}
	}

	#take(event: CloudApiEvent): LanguageModelV3StreamPart[] {
		if (isRelayRequest(event)) {
			if (!this.#options.answers.meet(event)) this.#requests.add(event);
			return [];
		}
		if (event.type === "request_answered" || event.type === "request_closed") {
			this.#options.answers.settled(event.requestId);
			return this.#requests.settle(event, this.#context);
		}
		const { said, connection, writer } = this.#options;
		const { parts, sessionUpdate } = mapTurnEvent(event, this.#context, said);
		if (sessionUpdate) this.#update(event, sessionUpdate);
		else if (event.seq === undefined) connection.subscribe(writer.metadata);
		return parts;
	}

	#update(event: CloudApiEvent, update: Record<string, unknown>): void {
		const { writer, connection, answers } = this.#options;
		const { start: cursor, runId } = connection;
		// Where this leg begins, so that another process can follow it should this one die.
		const isPlace = event.type === "init" && cursor !== undefined;
		writer.write({ ...update, ...(isPlace && { cursor, runId }) });
		connection.sessionId = writer.metadata.geminiSessionId;
		if (event.type === "relay.session") answers.renewRelay(writer.metadata);
	}

	/** Open requests: everything that a resume needs is stored before the caller learns of them. */
	async #pause(controller: Controller, isOpen = true): Promise<void> {
		this.#isPausing = true;
		const { connection, writer, said } = this.#options;
		const ids = this.#requests.ids;
		const { cursor, runId } = connection;
		writer.write({
			pendingRequestId: ids[0],
			pendingRequestIds: ids,
			claim: undefined,
			repeated: said.repeated,
			...(cursor !== undefined && { cursor, runId }),
		});
		try {
			await writer.flush();
		} catch (error) {
			return this.#fail(controller, error);
		}
		if (this.#isOver) return;
		this.#leave();
		// A stream that has ended cannot be read on from: such a run is resumed cold.
		if (isOpen) keepLive(this.#options, ids);
		else void connection.close();
		for (const part of this.#requests.takeCalls(this.#context)) controller.enqueue(part);
		const finishReason = { unified: "tool-calls" as const, raw: undefined };
		this.#finish(controller, { type: "finish", finishReason, usage: noUsage() });
	}

	/** The stream is over, as the server meant it or not. */
	async #atEnd(controller: Controller, { over, cause }: Over): Promise<void> {
		if (over === "ended") {
			if (this.#requests.isEmpty) return this.#end(controller);
			return this.#pause(controller, false);
		}
		const message = "The stream broke before the turn was over. Attach to the chat to go on.";
		const retryable = this.#options.connection.numbered;
		return this.#fail(controller, new GiselleError("truncated", message, { retryable, cause }));
	}

	async #end(controller: Controller): Promise<void> {
		const { writer, settings, connection } = this.#options;
		await writer.end().catch(() => settings.warn("The end of a session could not be stored."));
		if (this.#isOver) return;
		this.#leave();
		connection.detach();
		void releaseReader(connection.events);
		void connection.relayRequests?.close();
		for (const part of finishStream(this.#context)) this.#finish(controller, part);
	}

	/** What cannot go on, said as an error. What is stored stays: the caller may attach. */
	async #fail(controller: Controller, error: unknown): Promise<void> {
		if (this.#isOver) return;
		this.#leave();
		const { connection, writer } = this.#options;
		await connection.close();
		if (!connection.numbered) await writer.end().catch(() => {});
		this.#context.failure =
			error instanceof GiselleError
				? error
				: new GiselleError("truncated", "The stream failed.", { cause: error });
		controller.enqueue({ type: "error", error: this.#context.failure });
		for (const part of finishStream(this.#context)) this.#finish(controller, part);
	}

	#finish(controller: Controller, part: LanguageModelV3StreamPart): void {
		if (part.type !== "finish") {
			controller.enqueue(part);
			return;
		}
		const { providerSessionId: sessionId } = this.#options.writer.metadata;
		const giselle = { ...part.providerMetadata?.giselle, sessionId, resume: this.#mode };
		controller.enqueue({ ...part, providerMetadata: { giselle } });
		controller.close();
	}

	/** The caller wants no more of it: neither does the server's agent have to go on. */
	#stop(reason?: unknown): void {
		if (this.#isOver) return;
		this.#leave();
		const wasAborted = this.#options.abortSignal?.aborted;
		if (wasAborted) this.#controller?.error(reason);
		this.#abort.begin(this.#isReading);
	}

	#leave(): void {
		this.#isOver = true;
		this.#options.abortSignal?.removeEventListener("abort", this.#onAbort);
		this.#options.answers.close();
	}
}
