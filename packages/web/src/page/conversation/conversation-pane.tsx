import { Announcer } from "./announcer";
import { ApprovalCard } from "./approval-card";
import { Composer } from "./composer";
import { Failure } from "./failure";
import { Greeting } from "./greeting";
import { LinkBanner } from "./link-banner";
import { Message } from "./message";
import type { Conversation } from "./use-conversation";
import { useStickToEnd } from "./use-stick-to-end";

interface ConversationPaneProps {
	conversation: Conversation;
	onSend(text: string): void;
}

/** What was said, what the agent does, what it asks, and where the person answers. */
export function ConversationPane({ conversation, onSend }: ConversationPaneProps) {
	const { messages, isBusy, error, link, tools, retry, stop } = conversation;
	const { scroller, onScroll } = useStickToEnd();
	const isEmpty = messages.length === 0;
	const last = messages.at(-1);
	const isThinking = isBusy && last?.role === "user";
	return (
		<section className="pane conversation" aria-label="Conversation" aria-busy={isBusy}>
			<LinkBanner state={link} />
			<div className="scroller" ref={scroller} onScroll={onScroll} tabIndex={-1}>
				{isEmpty && link !== "loading" && <Greeting onPick={onSend} />}
				<ol className="messages">
					{messages.map((message, index) => (
						<Message
							key={message.id}
							message={message}
							isLast={index === messages.length - 1}
							isBusy={isBusy}
							onRetry={retry}
						/>
					))}
					{isThinking && (
						<li className="message assistant">
							<p className="thinking">
								<span className="visually-hidden">The agent is thinking</span>
								<span aria-hidden="true" className="dots">
									<i />
									<i />
									<i />
								</span>
							</p>
						</li>
					)}
				</ol>
				{tools.approvals.map((approval) => (
					<ApprovalCard key={approval.id} approval={approval} />
				))}
				{error && <Failure text={error} onRetry={retry} />}
			</div>
			<Composer isBusy={isBusy} onSend={onSend} onStop={stop} />
			<Announcer messages={messages} isBusy={isBusy} approvals={tools.approvals.length} />
		</section>
	);
}
