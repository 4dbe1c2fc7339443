import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, type AgentEvent, AgentFailure, type Turn, type TurnStats } from "../agent";
import { chatReply } from "./chat";
import { DEMO_HELP, type DemoCommand, demoPieces, parseCommand } from "./commands";
import { fillForm } from "./fill-form";
import { isFormMessage } from "./is-form-message";

export interface DemoAgentOptions {
	/** For dates that were said without a year. */
	now?: () => Date;
}

/**
 * An agent that works offline and without a key: it talks, fills forms, and streams texts on
 * command. Everything it says follows from the conversation, so a lost turn is simply said again;
 * what it did to a page is remembered, and not done again.
 */
export function createDemoAgent({ now = () => new Date() }: DemoAgentOptions = {}): Agent {
	return { name: "demo", recovery: "retry", run: (turn) => runTurn(turn, now) };
}

async function* runTurn(
	turn: Turn,
	now: () => Date,
): AsyncGenerator<AgentEvent, TurnStats | undefined, undefined> {
	const started = performance.now();
	const { content, document } = turn.input;
	let tokens = 0;
	const count = (event: AgentEvent) => {
		if (event.type === "message") tokens++;
		return event;
	};
	const command = parseCommand(content);
	if (command?.kind === "stream" || command?.kind === "count") {
		// Here and not in a generator of its own: each one that a token passes through costs time.
		const pace = createPace(turn.signal, command.everyMs);
		for (const piece of demoPieces(content)) {
			const wait = pace();
			if (wait) await wait;
			yield count(message(piece));
		}
	} else if (command) {
		for await (const event of obey(command, turn)) yield count(event);
	} else if (isFormMessage(content, document)) {
		for await (const text of fillForm(turn, now)) for (const piece of say(text)) yield count(piece);
	} else {
		for (const piece of say(chatReply(content, await turn.history()))) yield count(piece);
	}
	const input = content.split(/\s+/).filter(Boolean).length;
	const duration_ms = Math.round(performance.now() - started);
	const tokensOf = { input_tokens: input, output_tokens: tokens, total_tokens: input + tokens };
	return { stats: { ...tokensOf, duration_ms } };
}

async function* obey(
	command: Exclude<DemoCommand, { everyMs: number }>,
	turn: Turn,
): AsyncGenerator<AgentEvent> {
	switch (command.kind) {
		case "wait":
			await sleep(command.ms, undefined, { signal: turn.signal });
			yield* say(`I waited ${command.ms} ms.`);
			return;
		case "tool": {
			const tool_id = `echo-${turn.runId}`;
			yield { type: "tool_use", tool_id, tool_name: "echo", parameters: { text: command.text } };
			yield { type: "tool_result", tool_id, status: "success", output: command.text };
			yield* say(`The tool said: ${command.text}`);
			return;
		}
		case "fail":
			throw new AgentFailure("demo", command.reason);
		case "help":
			yield* say(`I understand these commands:\n${DEMO_HELP}`);
	}
}

/** By the clock, not by the wait before: a slow reader does not slow the whole text down. */
function createPace(signal: AbortSignal, everyMs: number): () => Promise<void> | undefined {
	const started = performance.now();
	let index = 0;
	return () => {
		signal.throwIfAborted();
		if (everyMs === 0) return undefined;
		const ahead = started + everyMs * index++ - performance.now();
		return ahead > 0 ? sleep(ahead, undefined, { signal }) : undefined;
	};
}

/** A text, word by word. */
function* say(text: string): Generator<AgentEvent> {
	for (const [word] of text.matchAll(/\s*\S+\s*?(?=\s|$)|\s+$/g)) yield message(word);
}

function message(content: string): AgentEvent {
	return { type: "message", role: "assistant", content, delta: true };
}
