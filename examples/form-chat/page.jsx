import { useChat } from "@ai-sdk/react";
import { useBrowserTools } from "@giselles-ai/browser-tool/react";
import { lastAssistantMessageIsCompleteWithToolCalls } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const chatId = crypto.randomUUID();

function FormChat() {
	const [sent, setSent] = useState("");
	const tools = useBrowserTools({ chatId, root: () => document.querySelector("form#visit") });
	const chat = useChat({
		id: chatId,
		onToolCall: tools.onToolCall,
		sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
	});
	tools.connect(chat);

	const say = (event) => {
		event.preventDefault();
		chat.sendMessage({ text: new FormData(event.target).get("message") });
		event.target.reset();
	};
	const submit = (event) => {
		event.preventDefault();
		setSent(JSON.stringify(Object.fromEntries(new FormData(event.target))));
	};
	return (
		<>
			<form id="visit" onSubmit={submit}>
				<label>
					Full name <input name="name" />
				</label>
				<label>
					Email <input name="email" type="email" />
				</label>
				<button type="submit">Submit</button>
				<output>{sent}</output>
			</form>

			{chat.messages.map(({ id, role, parts }) => (
				<p key={id}>
					{role}: {parts.map((part) => (part.type === "text" ? part.text : "")).join("")}
				</p>
			))}
			{tools.approvals.map(({ id, label, values, accept, refuse }) => (
				<div key={id} role="alertdialog" aria-label={label}>
					{label}? {values.map((field) => `${field.label}: ${field.value}`).join(", ")}
					<button type="button" onClick={accept}>
						Yes
					</button>
					<button type="button" onClick={refuse}>
						No
					</button>
				</div>
			))}
			<form onSubmit={say}>
				<input name="message" aria-label="Message" />
				<button type="submit">Send</button>
			</form>
		</>
	);
}

createRoot(document.querySelector("main")).render(<FormChat />);
