import { setTimeout as sleep } from "node:timers/promises";
import { KEY } from "../instances.mjs";
import { answerOf, eventsOf, piecesOf } from "../stream-of.mjs";
import { TextView } from "../text-view.mjs";

const HEADERS = {
	authorization: `Bearer ${KEY}`,
	"a2a-version": "1.0",
	"content-type": "application/json",
};
const TERMINAL = new Set(["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED"]);

/** A2A 1.0 over JSON-RPC: a message is streamed; a task that was lost sight of is subscribed to. */
export const a2a = {
	name: "A2A",
	/** How the log knows a message of this door. */
	keyInLog: (key) => `a2a:${key}`,
	async open({ number, anyInstance, signal }) {
		const message = said("count to 1", `talk-${number}-opening`);
		const answer = await answerOf(() => call(anyInstance(), "SendMessage", { message }), signal);
		return answer?.result?.task?.contextId ?? `talk-${number}`;
	},
	async runTurn({ sessionId, message, key, anyInstance, signal }) {
		const view = new TextView();
		const params = { message: { ...said(message, key), contextId: sessionId } };
		let id;
		while (!signal.aborted && !view.ended) {
			const { url, ...init } = id
				? call(anyInstance(), "SubscribeToTask", { id })
				: call(anyInstance(), "SendStreamingMessage", params);
			for await (const { result } of eventsOf(piecesOf(url, init, signal))) {
				id ??= result?.task?.id;
				if (result) show(view, result);
			}
			// A task that has ended is read, not subscribed to.
			if (!view.ended && id) {
				const answer = await answerOf(() => call(anyInstance(), "GetTask", { id }), signal);
				if (answer?.result) show(view, { task: answer.result });
			}
			if (!view.ended) await sleep(50);
		}
		return { runId: id, view };
	},
};

function call(instance, method, params) {
	return {
		url: `${instance.a2aUrl}/agents/demo`,
		method: "POST",
		headers: HEADERS,
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
	};
}

function said(text, messageId) {
	return { messageId, role: "ROLE_USER", parts: [{ text }] };
}

function show(view, { task, artifactUpdate, statusUpdate }) {
	if (task) view.text = (task.artifacts ?? []).map(textOf).join("");
	if (artifactUpdate) {
		const text = textOf(artifactUpdate.artifact);
		view.text = artifactUpdate.append ? view.text + text : text;
	}
	const state = (task ?? statusUpdate)?.status?.state;
	if (TERMINAL.has(state)) view.ended = true;
}

function textOf({ parts = [] }) {
	return parts.map(({ text = "" }) => text).join("");
}
