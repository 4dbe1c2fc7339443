import type { IconName } from "../../shell/icons";
import type { LogEvent } from "../console-api";

type Lane = "person" | "agent" | "tools" | "control";

export const LANES: readonly { lane: Lane; words: string; icon: IconName }[] = [
	{ lane: "person", words: "Person", icon: "person" },
	{ lane: "agent", words: "Agent", icon: "spark" },
	{ lane: "tools", words: "Tools", icon: "wrench" },
	{ lane: "control", words: "Control", icon: "sliders" },
];

/** An event for people: whose it is, what it is, and what it says. */
interface EventWords {
	lane: Lane;
	title: string;
	text: string;
	/** Something that a person looks for: it is marked. */
	mark?: { icon: IconName; kind: "good" | "note" | "bad" };
}

type Teller = (event: LogEvent) => EventWords;

const TEXT_CHARS = 240;

const tell =
	(lane: Lane, title: string, field?: string): Teller =>
	(event) => ({ lane, title, text: field === undefined ? "" : plain(event[field]) });

const noted = (teller: Teller, icon: IconName, kind: "good" | "note" | "bad" = "note"): Teller => {
	return (event) => ({ ...teller(event), mark: { icon, kind } });
};

const TELLERS: Readonly<Record<string, Teller>> = {
	input_admitted: noted(tell("person", "Said", "content"), "person"),
	message: ({ role, content }) =>
		role === "user"
			? { lane: "person", title: "Said", text: plain(content) }
			: { lane: "agent", title: "Text", text: plain(content) },
	init: ({ agent, model }) => ({
		lane: "control",
		title: "Turn started",
		text: plain(agent ?? model ?? ""),
	}),
	sandbox: tell("control", "Sandbox", "sandbox_id"),
	tool_use: ({ tool_name: name, parameters }) => ({
		lane: "tools",
		title: `Calls ${plain(name)}`,
		text: plain(parameters),
	}),
	tool_result: ({ status, output, error }) => ({
		lane: "tools",
		title: status === "error" ? "Tool failed" : "Tool returned",
		text: plain(error ?? output ?? ""),
		...(status === "error" && { mark: { icon: "cross", kind: "bad" } as const }),
	}),
	artifact: tell("tools", "Made a file", "path"),
	stderr: tell("agent", "Error output", "content"),
	error: noted(tell("agent", "Problem", "message"), "warn", "bad"),
	progress: tell("agent", "Progress", "message"),
	citations: tell("agent", "Sources", "references"),
	input_required: tell("agent", "Wants an answer", "reason"),
	escalated: noted(tell("agent", "Handed over", "targets"), "person"),
	context_lost: noted(tell("control", "Memory lost", "reason"), "warn", "bad"),
	agent_session_ended: tell("control", "Agent’s side ended", "reason"),
	snapshot_request: noted(tell("tools", "Asks the page for its form", "instruction"), "clock"),
	execute_request: noted(tell("tools", "Asks the page to act", "actions"), "clock"),
	request_claimed: tell("tools", "A page took it", "claimId"),
	request_answered: answered,
	request_closed: noted(tell("control", "Request closed", "reason"), "cross"),
	abort_requested: noted(tell("control", "Stop asked for", "reason"), "stop", "bad"),
	recovered: ({ attempt, policy, reason }) => ({
		lane: "control",
		title: `Recovered, attempt ${plain(attempt)}`,
		text: `${policy === "retry" ? "Does the turn again." : "Goes on where it was."} ${plain(reason)}`,
		mark: { icon: "heart", kind: "good" },
	}),
	retract: ({ up_to: upTo, reason }) => ({
		lane: "control",
		title: `Taken back up to #${plain(upTo)}`,
		text: plain(reason),
		mark: { icon: "undo", kind: "note" },
	}),
	result: ended,
};

export function wordsOf(event: LogEvent): EventWords {
	const teller = TELLERS[event.type];
	if (teller) return teller(event);
	const { type, seq: _, run_id: __, ...rest } = event;
	return { lane: "control", title: type, text: plain(rest) };
}

function answered({ response, resume }: LogEvent): EventWords {
	const { type, message } = (response ?? {}) as { type?: string; message?: string };
	const isError = type === "error_response";
	const how =
		resume === "hot"
			? "Hot resume: the reader had stayed."
			: resume === "cold"
				? "Cold resume: another reader went on."
				: "";
	return {
		lane: "tools",
		title: isError ? "Page failed" : "Page answered",
		text: `${how} ${isError ? (message ?? "") : ""}`.trim(),
		mark: {
			icon: resume === "hot" ? "bolt" : resume === "cold" ? "snow" : isError ? "cross" : "check",
			kind: isError ? "bad" : "good",
		},
	};
}

const ENDS: Readonly<Record<string, Pick<EventWords, "title" | "mark">>> = {
	success: { title: "Turn done", mark: { icon: "end", kind: "good" } },
	error: { title: "Turn failed", mark: { icon: "cross", kind: "bad" } },
	aborted: { title: "Turn stopped", mark: { icon: "stop", kind: "bad" } },
	dropped: { title: "Turn dropped", mark: { icon: "stop", kind: "bad" } },
};

function ended({ status, error, stats }: LogEvent): EventWords {
	const end = ENDS[plain(status)] ?? ENDS.success;
	const why = (error as { message?: unknown } | undefined)?.message;
	return { lane: "control", title: "Turn ended", text: plain(why) || figuresIn(stats), ...end };
}

/** What a turn took, as far as its agent tells. */
function figuresIn(stats: unknown): string {
	const { duration_ms: ms, total_tokens: tokens } = (stats ?? {}) as Record<string, unknown>;
	const time = typeof ms === "number" ? `${(ms / 1_000).toFixed(1)} s` : "";
	const count = typeof tokens === "number" ? `${tokens.toLocaleString("en")} tokens` : "";
	return [time, count].filter((figure) => figure !== "").join(", ");
}

/** One line of a value. */
function plain(value: unknown): string {
	if (value === undefined || value === null) return "";
	const text = typeof value === "object" ? JSON.stringify(value) : String(value);
	return text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS)}…` : text;
}
