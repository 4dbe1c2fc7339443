import { clearLine, cursorTo, type Interface } from "node:readline";
import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { plainText } from "./plain-text";

type Style = Parameters<typeof styleText>[0];

/** What is on the terminal: whole lines, a text that grows, and the prompt below them. */
export class Screen {
	readonly #output: Writable;
	readonly #isTerminal: boolean;
	#prompt: Interface | null = null;
	#hasPrompt = false;
	#isWithinLine = false;

	constructor(output: Writable, isTerminal: boolean) {
		this.#output = output;
		this.#isTerminal = isTerminal;
	}

	usePrompt(prompt: Interface): void {
		this.#prompt = prompt;
	}

	paint(style: Style, text: string): string {
		const plain = plainText(text);
		return this.#isTerminal ? styleText(style, plain) : plain;
	}

	/** A line of its own, written as it is: text of others goes through `plainText` or `paint` first. */
	line(text = ""): void {
		this.#leavePrompt();
		this.#output.write(`${this.#isWithinLine ? "\n" : ""}${text}\n`);
		this.#isWithinLine = false;
	}

	/** A remark about the conversation. */
	note(text: string): void {
		this.line(this.paint("dim", text));
	}

	/** More of a text that grows. */
	grow(more: string): void {
		const text = plainText(more);
		if (text === "") return;
		this.#leavePrompt();
		this.#output.write(text);
		this.#isWithinLine = !text.endsWith("\n");
	}

	/** Asks for the next line. What was typed before stays there. */
	prompt(): void {
		if (!this.#isTerminal || !this.#prompt) return;
		if (this.#isWithinLine) this.#output.write("\n");
		this.#isWithinLine = false;
		this.#prompt.prompt(true);
		this.#hasPrompt = true;
	}

	/** The person has ended the line: the cursor stands on a new one. */
	entered(): void {
		this.#hasPrompt = false;
	}

	#leavePrompt(): void {
		if (!this.#hasPrompt) return;
		this.#hasPrompt = false;
		cursorTo(this.#output, 0);
		clearLine(this.#output, 0);
	}
}
