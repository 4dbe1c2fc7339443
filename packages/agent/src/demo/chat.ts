import type { HistoryMessage } from "../agent";
import { findName } from "./read-message";

const WHO_AM_I =
	"I am Baton's demo agent. I work offline, without a model: I can fill the form in your page from what you tell me, remember your name, and stream texts on command (/help).";

/** What the demo agent says to each kind of sentence. The first that fits decides. */
const REPLIES: [RegExp, (talk: Talk) => string][] = [
	[
		/\bwhat(?:'s|’s| is) my name\b|\bwho am i\b|\bremember my name\b/i,
		({ name }) => (name ? `Your name is ${name}.` : "You have not told me your name yet."),
	],
	[
		/\bwhat did i (?:just )?(?:say|ask|tell)\b|\bmy last message\b/i,
		({ before }) => (before ? `You said: “${before}”` : "This is the first thing you said to me."),
	],
	[
		/\bwho are you\b|\bwhat (?:are|can) you\b|\bare you (?:a|an|real|human)\b|^help[?!.]*$/i,
		() => WHO_AM_I,
	],
	[/\bhow are you\b/i, () => "I am well, as scripted. How can I help?"],
	[/\bthank(?:s| you)\b/i, ({ name }) => `You are welcome${name ? `, ${name}` : ""}.`],
	[/\b(?:bye|goodbye|see you)\b/i, ({ name }) => `Goodbye${name ? `, ${name}` : ""}!`],
];
const GREETING = /^(?:hello|hi|hey|good (?:morning|afternoon|evening))\b/i;

interface Talk {
	name?: string;
	/** What the person said last, before this. */
	before?: string;
}

/** Small talk, from the conversation alone: the same conversation gets the same reply. */
export function chatReply(message: string, history: readonly HistoryMessage[]): string {
	const said = history.filter(({ role }) => role === "user").map(({ content }) => content);
	const introduced = findName(message);
	const name = introduced ?? said.toReversed().map(findName).find(Boolean);
	const reply = REPLIES.find(([pattern]) => pattern.test(message));
	if (reply) return reply[1]({ name, before: said.at(-1) });
	if (introduced) return `Hello ${introduced}, nice to meet you!`;
	if (GREETING.test(message.trim())) return `Hello${name ? ` ${name}` : ""}! ${WHO_AM_I}`;
	return `${WHO_AM_I} You said: “${message.trim()}”`;
}
