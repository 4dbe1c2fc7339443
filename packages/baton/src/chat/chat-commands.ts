/** What a person can type that is not a message. They begin with a colon: agents have the slash. */
export type ChatCommand =
	| { kind: "message"; text: string }
	| { kind: "new"; label?: string }
	| { kind: "sessions" }
	| { kind: "switch"; number: number }
	| { kind: "history"; count: number }
	| { kind: "label"; label: string }
	| { kind: "agents" }
	| { kind: "search"; query: string }
	| { kind: "stop" | "help" | "quit" | "nothing" }
	| { kind: "unknown"; word: string };

export const CHAT_COMMANDS = `  :new [name]        begin a new conversation
  :sessions          your conversations, newest first
  :switch <number>   go on with one of them
  :history [count]   what was said before
  :search <text>     where that was said
  :label <name>      name this conversation
  :agents            who you can talk to
  :stop              stop the answer (Ctrl-C)
  :quit              leave (Ctrl-D); what runs goes on`;

const HISTORY = 20;

export function parseChatLine(line: string): ChatCommand {
	const text = line.trim();
	if (text === "") return { kind: "nothing" };
	const [, word, rest = ""] = /^:(\w+)\s*(.*)$/s.exec(text) ?? [];
	if (word === undefined) return { kind: "message", text: line };
	switch (word) {
		case "new":
			return { kind: "new", ...(rest && { label: rest }) };
		case "sessions":
		case "agents":
		case "stop":
		case "help":
			return { kind: word };
		case "quit":
		case "q":
			return { kind: "quit" };
		case "switch":
			return /^\d+$/.test(rest) ? { kind: "switch", number: Number(rest) } : { kind: "sessions" };
		case "history":
			return { kind: "history", count: Number(/^\d{1,3}$/.exec(rest)?.[0] ?? HISTORY) || HISTORY };
		case "label":
			return rest ? { kind: "label", label: rest } : { kind: "help" };
		case "search":
			return rest ? { kind: "search", query: rest } : { kind: "help" };
		default:
			return { kind: "unknown", word };
	}
}
