import type { GatewayEvent } from "@baton/gateway/client";
import { plainText } from "./plain-text";
import { recoveryText } from "./recovery-text";
import type { Screen } from "./screen";

/** Shows what happens in a conversation, as it happens. */
export class AnswerView {
	readonly #screen: Screen;
	/** The run whose answer is on the screen's last lines. */
	#shown: string | null = null;
	/** Runs that have not ended, in the order in which they came. */
	readonly #open = new Set<string>();
	/** Messages that were typed here and have not come back yet. */
	readonly #typed: string[] = [];

	constructor(screen: Screen) {
		this.#screen = screen;
	}

	/** The run that Ctrl-C stops: the one that is being answered. */
	get running(): string | null {
		return this.#shown ?? [...this.#open][0] ?? null;
	}

	get isQuiet(): boolean {
		return this.#open.size === 0 && this.#typed.length === 0;
	}

	/** A message that the person can see already, where they typed it. */
	typed(text: string): void {
		this.#typed.push(text);
	}

	notSent(text: string): void {
		const at = this.#typed.indexOf(text);
		if (at >= 0) this.#typed.splice(at, 1);
	}

	/** Another conversation is on the screen now. */
	clear(): void {
		this.#shown = null;
		this.#open.clear();
		this.#typed.length = 0;
	}

	/** An answer that is under way. */
	resume(runId: string, text: string): void {
		this.#open.add(runId);
		this.#say(runId, text);
	}

	/** True: the conversation rests, and the person may be asked for the next message. */
	take({ event, data }: GatewayEvent): boolean {
		const screen = this.#screen;
		switch (event) {
			case "chat.message": {
				this.#open.add(data.runId);
				const at = this.#typed.indexOf(data.content);
				if (at >= 0) this.#typed.splice(at, 1);
				else this.#fromElsewhere(data.content);
				break;
			}
			case "chat.delta":
				this.#say(data.runId, data.text);
				break;
			case "chat.tool":
				if (data.phase === "start") screen.note(`  ⚙ ${data.toolName ?? "tool"}`);
				this.#shown = null;
				break;
			case "chat.recovered":
				screen.note(`  (the server was lost; ${recoveryText(data.policy)})`);
				this.#shown = null;
				break;
			case "chat.retract":
				screen.note("  (taken back)");
				this.#shown = null;
				break;
			case "chat.final":
				this.#end(data.runId);
				if (data.notice) screen.note(`  ${data.notice}`);
				break;
			case "chat.error":
			case "chat.aborted":
				this.#end(data.runId);
				if (data.aborted) screen.note(data.dropped ? "  (not sent on)" : "  (stopped)");
				else screen.line(screen.paint("red", `  ${data.message}`));
				break;
			case "chat.reset":
				screen.note("  (older events are gone; :history shows what was said)");
				this.clear();
				break;
			case "sessions.deleted":
				screen.note("  (this conversation was deleted; :new begins another)");
				this.clear();
				break;
		}
		return this.isQuiet;
	}

	#say(runId: string, text: string): void {
		if (this.#shown !== runId) {
			this.#shown = runId;
			this.#screen.line();
		}
		this.#screen.grow(text);
	}

	#fromElsewhere(content: string): void {
		const screen = this.#screen;
		screen.line(
			`\n${screen.paint("cyan", "›")} ${plainText(content)} ${screen.paint("dim", "(from elsewhere)")}`,
		);
	}

	#end(runId: string): void {
		this.#open.delete(runId);
		if (this.#shown === runId) this.#screen.line();
		this.#shown = null;
	}
}
