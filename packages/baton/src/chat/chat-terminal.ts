import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { ConnectionState, GatewayClient, Result } from "@baton/gateway/client";
import { AnswerView } from "./answer-view";
import { CHAT_COMMANDS, type ChatCommand, parseChatLine } from "./chat-commands";
import { Conversation, describeSession } from "./conversation";
import { plainText } from "./plain-text";
import { Screen } from "./screen";

const LISTED = 20;
/** Two Ctrl-C within this time leave. */
const TWICE_MS = 2_000;

interface TerminalStreams {
	input: Readable & { isTTY?: boolean };
	output: Writable & { isTTY?: boolean };
}

/** A chat at a terminal. From a pipe, each line is a message, and the end of it the end. */
export class ChatTerminal {
	readonly screen: Screen;
	readonly #client: GatewayClient;
	readonly #lines: Interface;
	readonly #view: AnswerView;
	readonly #conversation: Conversation;
	readonly #isTerminal: boolean;
	#listed: string[] = [];
	#interruptedAt = Number.NEGATIVE_INFINITY;
	#inputEnded = false;
	#failed = false;
	#start: () => void = () => {};
	#leave: (failed: boolean) => void = () => {};

	constructor(client: GatewayClient, { input, output }: TerminalStreams) {
		this.#client = client;
		this.#isTerminal = Boolean(input.isTTY && output.isTTY);
		this.screen = new Screen(output, this.#isTerminal);
		const prompt = this.screen.paint("cyan", "› ");
		this.#lines = createInterface({ input, output, terminal: this.#isTerminal, prompt });
		this.screen.usePrompt(this.#lines);
		this.#view = new AnswerView(this.screen);
		this.#conversation = new Conversation(client, this.screen, this.#view, () => this.#rested());
		this.#listen();
	}

	/** Enters a session, or begins a new one, and stays until the person leaves. True: it went well. */
	async run(sessionKey: string | null): Promise<boolean> {
		const left = new Promise<boolean>((resolve) => {
			this.#leave = (failed) => resolve(!failed);
		});
		if (sessionKey === null) this.#conversation.begin();
		else await this.#conversation.enter(sessionKey);
		this.#start();
		if (this.#view.isQuiet) this.screen.prompt();
		const well = await left;
		this.#lines.close();
		return well;
	}

	/** From the start: what is typed ahead waits until there is a conversation to type into. */
	#listen(): void {
		let queue = new Promise<void>((resolve) => {
			this.#start = resolve;
		});
		this.#lines.on("line", (line) => {
			this.screen.entered();
			queue = queue.then(() => this.#obey(parseChatLine(line)));
		});
		this.#lines.on("SIGINT", () => void this.#interrupt());
		this.#lines.on("close", () => {
			queue = queue.then(() => {
				this.#inputEnded = true;
				this.#rested();
			});
		});
	}

	/** The connection's comings and goings, in words. */
	showState(state: ConnectionState, before: ConnectionState): void {
		if (state === "waiting" && before === "open") {
			this.screen.note("  … the connection is lost; trying again");
		}
		if (state === "open" && before !== "open") this.screen.note("  … connected again");
		if (state === "open" && this.#view.isQuiet) this.screen.prompt();
	}

	async #obey(command: ChatCommand): Promise<void> {
		try {
			await this.#carryOut(command);
		} catch (error) {
			this.#failed = true;
			this.screen.line(this.screen.paint("red", `  ${(error as Error).message}`));
		}
		if (command.kind !== "message") this.#rested();
	}

	async #carryOut(command: ChatCommand): Promise<void> {
		switch (command.kind) {
			case "message":
				return this.#conversation.send(command.text);
			case "new":
				return this.#conversation.begin(command.label);
			case "sessions":
				return this.#list((await this.#client.call("sessions.list", { limit: LISTED })).sessions);
			case "search": {
				const { matches } = await this.#client.call("sessions.search", { query: command.query });
				return this.#list(matches.map(({ session, excerpt }) => ({ ...session, label: excerpt })));
			}
			case "switch":
				return this.#switchTo(command.number);
			case "history":
				return this.#showHistory(command.count);
			case "label":
				return this.#name(command.label);
			case "agents": {
				const { agents } = await this.#client.call("agents.list", {});
				for (const { id, model, notice } of agents) {
					const agent = `  ${id.padEnd(14)} ${model}${notice ? `  (${notice})` : ""}`;
					this.screen.line(plainText(agent));
				}
				return;
			}
			case "stop":
				if (!(await this.#conversation.stop())) this.screen.note("  Nothing runs.");
				return;
			case "help":
				return this.screen.line(
					`${CHAT_COMMANDS}\n  Everything else is a message; the agent has its own /help.`,
				);
			case "unknown":
				return this.screen.note(`  There is no :${command.word}. :help shows what there is.`);
			case "quit":
				this.#leave(false);
		}
	}

	#list(sessions: Result<"sessions.list">["sessions"]): void {
		this.#listed = sessions.map(({ key }) => key);
		if (sessions.length === 0) this.screen.note("  There is nothing yet.");
		for (const [i, session] of sessions.entries()) {
			const here = session.key === this.#conversation.sessionKey ? "*" : " ";
			this.screen.line(`${here}${String(i + 1).padStart(3)}  ${describeSession(session)}`);
		}
	}

	async #switchTo(number: number): Promise<void> {
		const key = this.#listed[number - 1];
		if (key === undefined) this.screen.note("  :sessions shows the numbers.");
		else await this.#conversation.enter(key);
	}

	async #showHistory(limit: number): Promise<void> {
		const { sessionKey } = this.#conversation;
		if (sessionKey === null) return this.screen.note("  Nothing was said yet.");
		const { messages } = await this.#client.call("chat.history", { sessionKey, limit });
		this.#conversation.showMessages(messages);
	}

	async #name(label: string): Promise<void> {
		const { sessionKey } = this.#conversation;
		if (sessionKey === null) return this.#conversation.begin(label);
		await this.#client.call("sessions.patch", { sessionKey, label });
		this.screen.note(`  This conversation is “${label}”.`);
	}

	/** Ctrl-C: stops an answer; with none, twice leaves. */
	async #interrupt(): Promise<void> {
		if (!this.#view.isQuiet) {
			await this.#conversation.stop().catch(() => {});
			return;
		}
		const now = performance.now();
		if (now - this.#interruptedAt < TWICE_MS) return this.#leave(false);
		this.#interruptedAt = now;
		this.screen.note("  Once more to leave.");
		this.screen.prompt();
	}

	/** Nothing runs: the next line may come, or there is none. */
	#rested(): void {
		if (!this.#view.isQuiet) return;
		if (this.#inputEnded) this.#leave(this.#failed);
		else this.screen.prompt();
	}
}
