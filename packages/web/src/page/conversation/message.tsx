import { memo } from "react";
import type { ChatMessage } from "../../chat/chat-message";
import { Icon } from "../shell/icons";
import { Markdown } from "./markdown";
import { partsThatCount, textOf } from "./message-text";
import { Step } from "./step";
import { isShownStep } from "./step-words";
import { useCopy } from "./use-copy";

interface MessageProps {
	message: ChatMessage;
	isLast: boolean;
	isBusy: boolean;
	onRetry(): void;
}

/** One message: what the person said, or what the agent said and did, in order. */
export const Message = memo(function Message({ message, isLast, isBusy, onRetry }: MessageProps) {
	const { role, metadata } = message;
	if (role === "user") {
		return (
			<li className="message user">
				<span className="visually-hidden">You said: </span>
				<p>{textOf(message)}</p>
			</li>
		);
	}
	const isRunning = isLast && isBusy;
	return (
		<li className="message assistant">
			<span className="visually-hidden">The agent said: </span>
			{partsThatCount(message).map((part, index) => {
				const key = `${message.id}-${index}`;
				if (part.type === "text") return <Markdown key={key} text={part.text} isOpen={isRunning} />;
				return isShownStep(part) ? <Step key={key} part={part} isRunning={isRunning} /> : null;
			})}
			{metadata?.status === "aborted" && <p className="note">Stopped.</p>}
			{metadata?.status === "error" && metadata.error && (
				<p className="note bad">{metadata.error}</p>
			)}
			{metadata?.notice && <p className="note">{metadata.notice}</p>}
			<MessageActions
				text={textOf(message)}
				isRunning={isRunning}
				onRetry={isLast ? onRetry : undefined}
			/>
		</li>
	);
});

interface MessageActionsProps {
	text: string;
	isRunning: boolean;
	onRetry: (() => void) | undefined;
}

/** Takes its room from the start, so that nothing moves when it appears. */
function MessageActions({ text, isRunning, onRetry }: MessageActionsProps) {
	const [isCopied, copy] = useCopy(text);
	return (
		<div className="message-actions" data-hidden={isRunning || undefined}>
			{!isRunning && (
				<>
					{text !== "" && (
						<button type="button" className="small" onClick={copy}>
							<Icon name={isCopied ? "check" : "copy"} />
							{isCopied ? "Copied" : "Copy"}
						</button>
					)}
					{onRetry && (
						<button type="button" className="small" onClick={onRetry}>
							<Icon name="retry" />
							Retry
						</button>
					)}
				</>
			)}
		</div>
	);
}
