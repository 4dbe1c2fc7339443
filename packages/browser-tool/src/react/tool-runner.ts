import type { ExecuteOptions, Root } from "../dom";
import { wasTold } from "../dom/references";
import { type Approval, Approvals } from "./approvals";
import { CallLedger } from "./call-ledger";
import { type Claim, wait } from "./claim-call";
import { type Outcome, type Progress, runOnce } from "./run-once";
import { runTool } from "./run-tool";
import {
	type ChatLike,
	callsIn,
	isBrowserTool,
	isReading,
	type SeenCall,
	type ToolCall,
} from "./tool-call";

export interface BrowserToolsOptions {
	/** The chat's id, as `useChat` has it. Calls are known by it through reloads. */
	chatId: string;
	/** The part of the page that an agent may see and touch. The whole document by default. */
	root?: () => Root | null | undefined;
	/**
	 * Claims a call at the server before it is run, so that of all pages, on all machines, one runs it.
	 * Without it, the tabs of one browser agree among themselves.
	 */
	claim?: Claim;
	/** After each action that was applied, with the element: to highlight it, for instance. */
	onFieldFilled?: ExecuteOptions["onApplied"];
	/** How long a question to the person stays open: 2 minutes. */
	approvalTimeoutMs?: number;
}

export interface RunnerState {
	/** Questions to show to the person. */
	approvals: readonly Approval[];
	/** The calls that run in this page now. */
	running: readonly ToolCall[];
}

/** A page that has not told these fields leaves the call to the tab that has, if there is one. */
const AFTER_YOU_MS = 300;
/** A replay brings a call and its output together; what comes later than this was not there. */
const REPLAY_MS = 250;
const LEFT = "The person left the page before this was done.";
const STOPPED = "The person stopped this.";
const WITHDRAWN = "The agent began anew and no longer asks for this.";

/** Runs the calls of a chat in this page, each once, and tells the chat what they came to. */
export class ToolRunner {
	options: BrowserToolsOptions = { chatId: "" };
	chat: ChatLike | null = null;
	readonly #approvals = new Approvals(() => this.#changed());
	/** What this page has begun: the call's outcome, told or to be told again. */
	readonly #calls = new Map<string, { outcome?: Outcome; shown: boolean }>();
	readonly #running = new Map<string, { call: ToolCall; controller: AbortController }>();
	readonly #listeners = new Set<() => void>();
	#state: RunnerState = { approvals: [], running: [] };
	#leaving: ReturnType<typeof setTimeout> | undefined;

	readonly subscribe = (listener: () => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	readonly getState = () => this.#state;

	/**
	 * `useChat` calls it for every call, also in a replay, where the call's output may be what comes
	 * next. So the call begins when the message is complete, or when it still waits a moment later.
	 */
	readonly onToolCall = ({ toolCall }: { toolCall: ToolCall }): void => {
		if (isBrowserTool(toolCall.toolName)) setTimeout(() => this.#take(), REPLAY_MS);
	};

	/** Looks for calls that wait: also those of before a reload, which `onToolCall` never tells of. */
	look(): void {
		const status = this.chat?.status;
		if (status !== "streaming" && status !== "submitted") this.#take();
		else this.#noteShown();
	}

	#take(): void {
		this.#noteShown();
		const calls = callsIn(this.chat?.messages ?? []);
		this.#endWithdrawn(calls);
		for (const call of calls) {
			if (!call.pending) continue;
			const known = this.#calls.get(call.toolCallId);
			if (!known) this.#start(call);
			else if (known.shown && known.outcome) {
				// A replay has put the call back to where it waits.
				known.shown = false;
				this.#tell(call, known.outcome);
			}
		}
	}

	#noteShown(): void {
		for (const { toolCallId, pending } of callsIn(this.chat?.messages ?? [])) {
			const known = this.#calls.get(toolCallId);
			if (known && !pending) known.shown = true;
		}
	}

	/** Ends what runs here: the agent is told that the person stopped it. */
	readonly stop = (): void => {
		for (const { controller } of this.#running.values()) controller.abort(new Error(STOPPED));
	};

	/** The page shows the chat; the returned function says that it no longer does. */
	mount(): () => void {
		clearTimeout(this.#leaving);
		return () => {
			// React mounts a component anew at once, to test it: only what stays away has left.
			this.#leaving = setTimeout(() => {
				for (const { controller } of this.#running.values()) controller.abort(new Error(LEFT));
			}, 0);
		};
	}

	/** An agent that was lost and begun anew asks anew: what it asked before is nobody's wish any more. */
	#endWithdrawn(calls: readonly SeenCall[]): void {
		if (!calls.some(({ pending }) => pending)) return;
		for (const [id, { controller }] of this.#running) {
			const isAsked = calls.some(({ toolCallId }) => toolCallId === id);
			if (!isAsked) controller.abort(new Error(WITHDRAWN));
		}
	}

	#start(call: ToolCall): void {
		const { toolCallId } = call;
		const controller = new AbortController();
		this.#calls.set(toolCallId, { shown: false });
		this.#running.set(toolCallId, { call, controller });
		this.#changed();
		void this.#run(call, controller.signal)
			.catch((error: unknown): Outcome => ({ error: wordsOf(error) }))
			.then((outcome) => {
				this.#running.delete(toolCallId);
				this.#calls.set(toolCallId, { outcome, shown: false });
				this.#changed();
				this.#tell(call, outcome);
			});
	}

	async #run(call: ToolCall, signal: AbortSignal): Promise<Outcome> {
		const { chatId, claim } = this.options;
		const run = (progress: Progress) => this.#runTool(call, signal, progress);
		try {
			if (!isReading(call.toolName) && !knowsFields(call.input)) await wait(AFTER_YOU_MS, signal);
			return await runOnce(call, { chatId, ledger: new CallLedger(chatId), claim, signal, run });
		} catch (error) {
			// It never began here, and another page may be running it: there is nothing to tell.
			if (signal.aborted) return "taken";
			throw error;
		}
	}

	#runTool(call: ToolCall, signal: AbortSignal, progress: Progress): Promise<unknown> {
		const { root, onFieldFilled, approvalTimeoutMs } = this.options;
		const within = root ? root() : document;
		if (!within) return Promise.reject(new Error("The form is not in the page."));
		let touched = false;
		const onApplied: ExecuteOptions["onApplied"] = (...applied) => {
			touched = true;
			onFieldFilled?.(...applied);
		};
		const approve: ExecuteOptions["approve"] = async (request) => {
			if (!touched) progress.waits();
			const agreed = await this.#approvals.ask(call.toolCallId, request);
			const isWanted = agreed && (await progress.isWanted());
			// The question may have been given up meanwhile, and the call be over.
			if (!request.signal.aborted) progress.begins();
			return isWanted;
		};
		return runTool(call, { root: within, approve, approvalTimeoutMs, signal, onApplied });
	}

	/** Not waited for: `useChat` waits for `onToolCall`, and would wait for itself. */
	#tell({ toolCallId, toolName: tool }: ToolCall, outcome: Outcome): void {
		if (outcome === "taken") return;
		const told =
			"error" in outcome
				? ({ state: "output-error", errorText: outcome.error } as const)
				: ({ state: "output-available", output: outcome.output } as const);
		void this.chat?.addToolOutput({ tool, toolCallId, ...told });
	}

	#changed(): void {
		const running = Array.from(this.#running.values(), ({ call }) => call);
		this.#state = { approvals: this.#approvals.open, running };
		for (const listener of this.#listeners) listener();
	}
}

function knowsFields(input: unknown): boolean {
	const { actions } = (input ?? {}) as { actions?: unknown };
	if (!Array.isArray(actions)) return true;
	return actions.some((action) => wasTold(String((action as { fieldId?: unknown })?.fieldId)));
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
