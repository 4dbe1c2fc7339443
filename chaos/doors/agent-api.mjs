import { setTimeout as sleep } from "node:timers/promises";
import { NdjsonParser } from "@baton/protocol";
import { KEY } from "../instances.mjs";
import { ReaderView } from "../reader-view.mjs";
import { piecesOf } from "../stream-of.mjs";

const HEADERS = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };

/** The agent API: a message in, JSON lines out; whoever loses the connection attaches again. */
export const agentApi = {
	name: "agent API",
	/** The session that a conversation through this door is in: one that its first message makes. */
	open: async ({ number }) => `chaos-${number}`,
	/** Sends one message and reads until its turn is over. Returns the session, the run, and what the client holds. */
	async runTurn({ sessionId, message, key, anyInstance, signal }) {
		const view = new ReaderView();
		let runId;
		let id;
		const body = { session_id: sessionId, message, idempotency_key: key };
		while (!signal.aborted) {
			const request = runId ? { session_id: sessionId, attach: true, after: view.cursor } : body;
			for await (const line of linesOf(anyInstance(), request, signal)) {
				if (view.take(line) && line.type === "input_admitted" && line.idempotency_key === key) {
					runId = line.run_id;
				}
				if (line.type === "init") id = line.session_id;
				if (runId && line.type === "result" && line.run_id === runId) return { id, runId, view };
			}
			await sleep(50);
		}
		return { id, runId, view };
	},
	/** Follows a session from its start until `isDone` says that there is nothing more to come. */
	async follow({ sessionId, anyInstance, isDone, signal }) {
		const view = new ReaderView();
		while (!signal.aborted && !isDone(view)) {
			const request = { session_id: sessionId, attach: true, after: view.cursor };
			for await (const line of linesOf(anyInstance(), request, signal)) view.take(line);
			await sleep(100);
		}
		return view;
	},
};

/** The lines of an answer, until it ends or breaks. */
async function* linesOf(instance, request, signal) {
	const parser = new NdjsonParser();
	const init = {
		method: "POST",
		headers: HEADERS,
		body: JSON.stringify({ type: "agent.run", ...request }),
	};
	for await (const piece of piecesOf(`${instance.url}/agent-api/run`, init, signal)) {
		for (const { value } of parser.push(piece)) if (value) yield value;
	}
}
