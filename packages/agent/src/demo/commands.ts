/**
 * The demo agent's commands: the whole grammar. Everything else is talk, or work on a form.
 *
 *   /stream <n> words [every <duration>]   says "w1 w2 … wn", a word at a time
 *   count to <n> [every <duration>]        says "1 2 … n", a number at a time
 *   /wait <duration>                       says nothing for that long, then that it waited
 *   /tool [text]                           uses a tool of its own that returns the text
 *   /fail [reason]                         fails the turn with that reason
 *   /help                                  says this grammar
 *
 * A duration is a number and `ms` or `s`: `20ms`, `1.5 s`. Without `every` nothing is waited for.
 */
export type DemoCommand =
	| { kind: "stream"; words: number; everyMs: number }
	| { kind: "count"; to: number; everyMs: number }
	| { kind: "wait"; ms: number }
	| { kind: "tool"; text: string }
	| { kind: "fail"; reason: string }
	| { kind: "help" };

export const DEMO_HELP = [
	"/stream 500 words every 20ms",
	"count to 1000 every 5ms",
	"/wait 5s",
	"/tool some text",
	"/fail some reason",
	"/help",
].join("\n");

/** More words than anyone waits for, few enough to count on. */
export const MAX_DEMO_WORDS = 1_000_000;
const MAX_WAIT_MS = 10 * 60_000;

const DURATION = String.raw`(\d+(?:\.\d+)?) ?(ms|s)`;
const EVERY = `(?: every ${DURATION})?`;
const STREAM = new RegExp(`^/stream (\\d+)(?: words?)?${EVERY}$`, "i");
const COUNT = new RegExp(`^(?:please )?count (?:up )?to (\\d+)${EVERY}[.!]?$`, "i");
const WAIT = new RegExp(`^/wait ${DURATION}$`, "i");

/** The command that a message is, or null. */
export function parseCommand(message: string): DemoCommand | null {
	const text = message.trim().replace(/\s+/g, " ");
	const stream = STREAM.exec(text);
	if (stream) {
		const everyMs = toMs(stream[2], stream[3]);
		return { kind: "stream", words: Math.min(Number(stream[1]), MAX_DEMO_WORDS), everyMs };
	}
	const count = COUNT.exec(text);
	if (count) {
		const everyMs = toMs(count[2], count[3]);
		return { kind: "count", to: Math.min(Number(count[1]), MAX_DEMO_WORDS), everyMs };
	}
	const wait = WAIT.exec(text);
	if (wait) return { kind: "wait", ms: toMs(wait[1], wait[2]) };
	const [word, ...rest] = text.split(" ");
	if (word === "/tool") return { kind: "tool", text: rest.join(" ") || "hello" };
	if (word === "/fail") return { kind: "fail", reason: rest.join(" ") || "You asked me to fail." };
	// Whoever starts with a slash means a command: one that is not there is better said than guessed.
	return text.startsWith("/") ? { kind: "help" } : null;
}

function toMs(amount: string | undefined, unit: string | undefined): number {
	if (amount === undefined) return 0;
	return Math.min(Number(amount) * (unit?.toLowerCase() === "s" ? 1000 : 1), MAX_WAIT_MS);
}

/** The exact pieces that `/stream` and `count to` say, in order: for those who check the text. */
export function* demoPieces(message: string): Generator<string> {
	const command = parseCommand(message);
	if (command?.kind !== "stream" && command?.kind !== "count") return;
	const [total, prefix] = command.kind === "stream" ? [command.words, "w"] : [command.to, ""];
	for (let number = 1; number <= total; number++) {
		yield number < total ? `${prefix}${number} ` : `${prefix}${number}`;
	}
}
