import { useEffect, useState, useSyncExternalStore } from "react";
import type { ChatLike, ToolCall } from "./tool-call";
import { type BrowserToolsOptions, type RunnerState, ToolRunner } from "./tool-runner";

export interface BrowserTools extends RunnerState {
	/** For `useChat({ onToolCall })`. */
	onToolCall(event: { toolCall: ToolCall }): void;
	/** To be called with the result of `useChat`, whenever the component renders. */
	connect(chat: ChatLike): void;
	/** Ends what runs in this page; the agent is told. For a button that stops the agent. */
	stop(): void;
}

const NOTHING: RunnerState = { approvals: [], running: [] };

/** Gives `useChat` the two tools of the page: each call runs once, through replays and reloads. */
export function useBrowserTools(options: BrowserToolsOptions): BrowserTools {
	const [runner] = useState(() => new ToolRunner());
	runner.options = options;
	const state = useSyncExternalStore(runner.subscribe, runner.getState, () => NOTHING);
	useEffect(() => runner.mount(), [runner]);
	useEffect(() => runner.look());
	const [{ onToolCall, stop, connect }] = useState(() => ({
		onToolCall: runner.onToolCall,
		stop: runner.stop,
		connect: (chat: ChatLike) => {
			runner.chat = chat;
		},
	}));
	return { ...state, onToolCall, stop, connect };
}
