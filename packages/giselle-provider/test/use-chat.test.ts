import { Window } from "happy-dom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { closeLiveConnections, giselle } from "../src";
import { createMemorySessions } from "../src/memory-sessions";
import { type FakeAgentApi, type FakeRun, startFakeAgentApi } from "../src/testing";
import { serveRoute } from "./support/chat-server";
import { sdks } from "./support/sdks";

/* React needs a document; everything else, `fetch` above all, stays Node's own. */
beforeAll(() => {
	const window = new Window();
	const { document, navigator } = window;
	Object.assign(globalThis, { window, document, navigator });
});
const delta = (content: string) => ({ type: "message", role: "assistant", content, delta: true });

type Shown = { status: string; messages: { role: string; parts: { type: string }[] }[] };

interface ChatPageProps {
	react: (typeof sdks)[number][2];
	chat: InstanceType<ChatPageProps["react"]["Chat"]>;
	onState(state: Shown): void;
}

/** A component that hands out what the hook gives it. */
function ChatPage({ react, chat, onState }: ChatPageProps) {
	const state = react.useChat({ chat });
	onState(state);
	return state.status;
}

describe.each(sdks)("useChat over HTTP, %s", (_name, ai, react) => {
	let api: FakeAgentApi;
	let route: Awaited<ReturnType<typeof serveRoute>>;
	let go = () => {};
	const going = new Promise<void>((resolve) => {
		go = resolve;
	});

	async function* script(run: FakeRun) {
		yield { type: "init", session_id: run.sessionId, model: "fake-1" };
		if (run.message === "slow") {
			yield delta("begun, ");
			yield { wait: going };
			yield delta("ended");
		} else if (run.message === "fill") {
			yield delta("Looking. ");
			yield { type: "snapshot_request", requestId: run.runId, instruction: "Read the form" };
			yield delta("Done.");
		} else yield delta(`You said ${run.message}.`);
		yield { type: "result", status: "success" };
	}

	beforeAll(async () => {
		api = await startFakeAgentApi({ script: script as never });
		const model = giselle({ cloudApiUrl: api.url, sessions: createMemorySessions() });
		const tools = {
			getFormSnapshot: ai.tool({ inputSchema: z.object({ instruction: z.string() }) }),
		};
		route = await serveRoute(async (request) => {
			const resumed = /\/chat\/([^/]+)\/stream$/.exec(new URL(request.url).pathname);
			const body = resumed ? { id: resumed[1], messages: [] } : await request.json();
			const { id: chatId, messages } = body;
			const giselleOptions = { chatId, ...(resumed && { attach: true }) };
			const result = ai.streamText({
				model,
				tools,
				messages: resumed
					? [{ role: "user", content: "-" }]
					: await ai.convertToModelMessages(messages),
				providerOptions: { giselle: giselleOptions },
			});
			return result.toUIMessageStreamResponse();
		});
	});
	afterAll(async () => {
		await closeLiveConnections();
		await route.close();
		await api.close();
	});

	/** A page: the hook, rendered, and what it shows. */
	async function openPage(chatId: string, onTool: () => object = () => ({ fields: [] })) {
		const { createElement } = await import("react");
		const { createRoot } = await import("react-dom/client");
		const chat = new react.Chat({
			id: chatId,
			transport: new ai.DefaultChatTransport({ api: `${route.url}/chat` }),
			sendAutomaticallyWhen: ai.lastAssistantMessageIsCompleteWithToolCalls,
			onToolCall: ({ toolCall }) => {
				// Not awaited: the hook would wait for itself.
				void chat.addToolOutput({
					tool: toolCall.toolName,
					toolCallId: toolCall.toolCallId,
					output: onTool(),
				} as never);
			},
		});
		const page = { shown: { status: "", messages: [] } as Shown, errors: [] as unknown[] };
		const root = createRoot(document.createElement("div"));
		const onState = (state: Shown & { error?: unknown }) => {
			page.shown = state;
			if (state.error) page.errors.push(state.error);
		};
		root.render(createElement(ChatPage, { react, chat, onState }));
		const text = () =>
			page.shown.messages
				.filter(({ role }) => role === "assistant")
				.flatMap(({ parts }) => parts)
				.map((part) => ("text" in part ? part.text : ""))
				.join("");
		return { chat, page, text, close: () => root.unmount() };
	}

	it("shows what the agent says", async () => {
		const { chat, page, text, close } = await openPage("plain");
		await chat.sendMessage({ text: "hello" });
		await expect.poll(text).toBe("You said hello.");
		await expect.poll(() => page.shown.status).toBe("ready");
		close();
	});

	it("runs the page's tool once, sends its result, and shows the rest", async () => {
		let runs = 0;
		const { chat, page, text, close } = await openPage("tool", () => {
			runs++;
			return { fields: [{ fieldId: "f" }] };
		});
		await chat.sendMessage({ text: "fill" });
		await expect.poll(text, { timeout: 5_000 }).toBe("Looking. Done.");
		expect(runs).toBe(1);
		expect(api.answers).toMatchObject([{ type: "snapshot_response", fields: [{ fieldId: "f" }] }]);
		expect(page.errors).toEqual([]);
		await chat.sendMessage({ text: "and then" });
		await expect.poll(text).toBe("Looking. Done.You said and then.");
		close();
	});

	it("resumes a running turn after a reload, from its start", async () => {
		const before = await openPage("reload");
		void before.chat.sendMessage({ text: "slow" });
		await expect.poll(before.text).toBe("begun, ");
		const after = await openPage("reload");
		const resumed = after.chat.resumeStream();
		await expect.poll(after.text).toBe("begun, ");
		go();
		await resumed;
		await expect.poll(after.text).toBe("begun, ended");
		await expect.poll(before.text).toBe("begun, ended");
		for (const { close } of [before, after]) close();
	});
});
