import type { ChatMessage } from "../../chat/chat-message";
import { textOf } from "./message-text";

interface AnnouncerProps {
	messages: readonly ChatMessage[];
	isBusy: boolean;
	approvals: number;
}

const LONGEST = 300;

/** For screen readers: a reply when it is whole, not word by word, and a question at once. */
export function Announcer({ messages, isBusy, approvals }: AnnouncerProps) {
	const last = messages.at(-1);
	const reply = last?.role === "assistant" && !isBusy ? textOf(last).slice(0, LONGEST) : "";
	const words =
		approvals > 0 ? "The agent asks for your approval." : isBusy ? "The agent is working." : reply;
	return (
		<p className="visually-hidden" role="status" aria-live="polite">
			{words}
		</p>
	);
}
