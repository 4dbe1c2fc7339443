import { useChat } from "@ai-sdk/react3";
import {
	DefaultChatTransport,
	lastAssistantMessageIsCompleteWithToolCalls,
	type UIMessage,
} from "ai6";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { type Claim, useBrowserTools } from "../../src/react";

/* A page with a form and a chat, as someone else would write it. What it does is set by its address. */
const query = new URLSearchParams(location.search);
const chatId = query.get("chat") ?? "chat";

const claim: Claim = async ({ signal, input: _, ...request }) => {
	const body = JSON.stringify(request);
	const answer = await fetch("/claim", { method: "POST", body, signal });
	if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
	return (await answer.json()).answer;
};

function Chat({ history }: { history: UIMessage[] }) {
	const tools = useBrowserTools({
		chatId,
		root: () => document.querySelector("form"),
		...(query.has("claim") && { claim }),
		onFieldFilled: ({ label }) => window.filled.push(label),
	});
	const chat = useChat({
		id: chatId,
		messages: history,
		resume: query.has("resume"),
		transport: new DefaultChatTransport({ api: "/api/chat" }),
		onToolCall: tools.onToolCall,
		sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
	});
	tools.connect(chat);
	return (
		<section>
			<button type="button" onClick={() => chat.sendMessage({ text: "fill it" })}>
				Ask
			</button>
			<button type="button" onClick={tools.stop}>
				Stop
			</button>
			<button type="button" onClick={() => chat.resumeStream()}>
				Resume
			</button>
			<output id="status">{chat.status}</output>
			<output id="running">{tools.running.length}</output>
			{tools.approvals.map(({ id, label, values, accept, refuse }) => (
				<div key={id} role="alertdialog" aria-label={label}>
					{values.map((one) => `${one.label}=${one.value}`).join("; ")}
					<button type="button" onClick={accept}>
						Accept
					</button>
					<button type="button" onClick={refuse}>
						Refuse
					</button>
				</div>
			))}
			<pre id="text">
				{chat.messages
					.flatMap(({ role, parts }) => (role === "assistant" ? parts : []))
					.map((part) => (part.type === "text" ? part.text : ""))
					.join("")}
			</pre>
		</section>
	);
}

function App() {
	const [history, setHistory] = useState<UIMessage[]>();
	const [shown, setShown] = useState(true);
	useEffect(() => {
		fetch(`/history?chat=${chatId}`)
			.then((answer) => answer.json())
			.then(setHistory);
	}, []);
	return (
		<>
			<button type="button" onClick={() => setShown(false)}>
				Leave
			</button>
			{shown && history && <Chat history={history} />}
		</>
	);
}

declare global {
	interface Window {
		/** The labels of what was filled, in order. */
		filled: string[];
	}
}

window.filled = [];
createRoot(document.querySelector("#chat")!).render(
	<StrictMode>
		<App />
	</StrictMode>,
);
