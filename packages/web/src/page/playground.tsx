"use client";

import { useRef } from "react";
import { ConversationPane } from "./conversation/conversation-pane";
import { useConversation } from "./conversation/use-conversation";
import { ApplicationForm } from "./form/application-form";
import { Header } from "./shell/header";
import { useOverview } from "./shell/use-overview";

/** A conversation beside a form. */
export function Playground({ chatId }: { chatId: string }) {
	const form = useRef<HTMLElement>(null);
	const conversation = useConversation({ chatId, form });
	const overview = useOverview(conversation.isBusy);
	const { send } = conversation;
	const begin = (text: string) => {
		// The address names the chat from its first message on, so that a reload finds it.
		window.history.replaceState(null, "", `/?chat=${chatId}`);
		send(text);
	};
	return (
		<div className="shell">
			<a className="skip" href="#message">
				Skip to the conversation
			</a>
			<Header chatId={chatId} overview={overview} />
			<main className="panes">
				<ConversationPane conversation={conversation} onSend={begin} />
				<section className="pane form-pane" aria-label="Form" ref={form}>
					<ApplicationForm chatId={chatId} />
				</section>
			</main>
		</div>
	);
}
