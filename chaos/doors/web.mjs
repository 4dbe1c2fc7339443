import { setTimeout as sleep } from "node:timers/promises";
import { answerOf, eventsOf, piecesOf } from "../stream-of.mjs";
import { TextView } from "../text-view.mjs";

/**
 * The page's routes, as the page uses them: a message is posted; a stream that broke is opened again
 * from the turn's start; when nothing runs any more, the history has the rest, or shows that the
 * message never arrived.
 */
export const web = {
	name: "page",
	open: async ({ number }) => `page-${number}`,
	async runTurn({ sessionId, message, key, anyInstance, signal }) {
		const view = new TextView();
		const init = {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({
				id: sessionId,
				messages: [{ id: key, role: "user", parts: [{ type: "text", text: message }] }],
			}),
		};
		let posted = false;
		while (!signal.aborted && !view.ended) {
			let nothingRuns = false;
			const { url } = anyInstance();
			const pieces = posted
				? piecesOf(`${url}/api/chat/${sessionId}/stream`, {}, signal, (status) => {
						nothingRuns = status === 204;
					})
				: piecesOf(`${url}/api/chat`, init, signal);
			for await (const chunk of eventsOf(pieces)) {
				posted = true;
				show(view, chunk);
			}
			if (nothingRuns) posted = await readHistory(view, { sessionId, key, anyInstance, signal });
			if (!view.ended) await sleep(50);
		}
		return { view };
	},
};

function show(view, chunk) {
	switch (chunk.type) {
		case "start":
			view.text = "";
			break;
		case "text-delta":
			view.text += chunk.delta;
			break;
		case "text-end":
			if (chunk.providerMetadata?.giselle?.retracted) view.text = "";
			break;
		case "finish":
			view.ended = true;
	}
}

/** Returns whether the message is in it. */
async function readHistory(view, { sessionId, key, anyInstance, signal }) {
	const request = () => ({ url: `${anyInstance().url}/api/chat/${sessionId}` });
	const history = await answerOf(request, signal);
	const messages = history?.messages ?? [];
	const reply = messages.find(({ id }) => id === `reply-${key}`);
	if (reply && !history.isRunning) {
		view.text = reply.parts.map(({ type, text }) => (type === "text" ? text : "")).join("");
		view.ended = true;
	}
	return messages.some(({ id }) => id === key);
}
