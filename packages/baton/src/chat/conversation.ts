import type { GatewayClient, Result, SubscriptionHandle } from "@baton/gateway/client";
import type { AnswerView } from "./answer-view";
import { plainText } from "./plain-text";
import type { Screen } from "./screen";

type SessionMeta = Result<"sessions.list">["sessions"][number];

/** Messages that are shown when a conversation is entered. */
const SHOWN = 10;

/** The conversation on the screen: one session, or a new one that begins with the first message. */
export class Conversation {
	readonly #client: GatewayClient;
	readonly #screen: Screen;
	readonly #view: AnswerView;
	readonly #onQuiet: () => void;
	#sessionKey: string | null = null;
	#making: Promise<string> | null = null;
	#label: string | undefined;
	#subscription: SubscriptionHandle | null = null;

	constructor(client: GatewayClient, screen: Screen, view: AnswerView, onQuiet: () => void) {
		this.#client = client;
		this.#screen = screen;
		this.#view = view;
		this.#onQuiet = onQuiet;
	}

	get sessionKey(): string | null {
		return this.#sessionKey;
	}

	/** Leaves what is on the screen. What runs there goes on. */
	begin(label?: string): void {
		this.#subscription?.close();
		this.#subscription = null;
		this.#view.clear();
		this.#sessionKey = null;
		this.#making = null;
		this.#label = label;
		this.#screen.note(label ? `A new conversation: ${label}` : "A new conversation.");
	}

	/** Goes on with a session: its last messages, its running answer, then what comes. */
	async enter(sessionKey: string): Promise<void> {
		const history = await this.#client.call("chat.history", { sessionKey, limit: SHOWN });
		this.#subscription?.close();
		this.#view.clear();
		this.#sessionKey = sessionKey;
		this.showMessages(history.messages);
		if (history.partial) this.#view.resume(history.partial.runId, history.partial.text);
		this.#follow(sessionKey, history.seq);
	}

	/** Stores a message; what becomes of it is shown as it comes. */
	async send(text: string): Promise<void> {
		this.#view.typed(text);
		try {
			const sessionKey = this.#sessionKey ?? (await this.#make());
			await this.#client.send(sessionKey, text);
		} catch (error) {
			this.#view.notSent(text);
			throw error;
		}
	}

	async stop(): Promise<boolean> {
		const runId = this.#view.running;
		if (runId === null || this.#sessionKey === null) return false;
		const { aborted } = await this.#client.call("chat.abort", {
			runId,
			sessionKey: this.#sessionKey,
		});
		return aborted;
	}

	showMessages(messages: Result<"chat.history">["messages"]): void {
		for (const { role, content, error } of messages) {
			const text = plainText(content);
			if (role === "user") this.#screen.line(`\n${this.#screen.paint("cyan", "›")} ${text}`);
			else if (content !== "") this.#screen.line(`\n${text}`);
			if (error) this.#screen.line(this.#screen.paint("red", `  ${error}`));
		}
	}

	/** Two first messages at once are of one session. */
	#make(): Promise<string> {
		this.#making ??= this.#client
			.call("sessions.create", this.#label ? { label: this.#label } : {})
			.then(({ sessionKey }) => {
				this.#sessionKey = sessionKey;
				this.#follow(sessionKey, 0);
				return sessionKey;
			})
			.catch((error: unknown) => {
				this.#making = null;
				throw error;
			});
		return this.#making;
	}

	#follow(sessionKey: string, after: number): void {
		this.#subscription = this.#client.subscribe(
			sessionKey,
			(event) => {
				if (this.#sessionKey === sessionKey && this.#view.take(event)) this.#onQuiet();
			},
			{
				after,
				onError: ({ message }) => {
					const screen = this.#screen;
					screen.line(screen.paint("red", `  This conversation cannot be followed: ${message}`));
				},
			},
		);
	}
}

/** A session in a list: its name, or how it began. */
export function describeSession({
	key,
	label,
	agentId,
	updatedAt,
	createdAt,
}: SessionMeta): string {
	const when = new Date(updatedAt || createdAt).toISOString().slice(0, 16).replace("T", " ");
	return plainText(`${when}  ${agentId.padEnd(12)} ${label ?? key}`);
}
