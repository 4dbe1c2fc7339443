import { setTimeout as sleep } from "node:timers/promises";
import { connectGateway } from "@baton/gateway/client";
import { ChatView } from "../chat-view.mjs";
import { TOKEN } from "../instances.mjs";

/** The gateway: its own client, which comes back by itself and sends what was not confirmed. */
export const gateway = {
	name: "gateway",
	/** The session that a conversation through this door is in. */
	async open({ anyInstance, signal }) {
		while (!signal.aborted) {
			const client = connect(anyInstance());
			try {
				const create = client.call("sessions.create", {});
				const { sessionKey } = await Promise.race([create, giveUp(10_000)]);
				return sessionKey;
			} catch {
				await sleep(200);
			} finally {
				client.close();
			}
		}
		throw new Error("No session could be made.");
	},
	async runTurn({ sessionId, message, key, anyInstance, signal }) {
		const view = new ChatView();
		const client = connect(anyInstance());
		try {
			client.subscribe(sessionId, (event) => view.take(event), { after: 0 });
			const sent = client.send(sessionId, message, { idempotencyKey: key });
			const stored = await Promise.race([sent, aborted(signal)]);
			while (!signal.aborted && stored && !view.hasEnded(stored.runId)) await sleep(50);
			return { id: sessionId, runId: stored?.runId, view };
		} finally {
			client.close();
		}
	},
};

function connect({ gatewayUrl }) {
	return connectGateway({ url: gatewayUrl, token: TOKEN, timeoutMs: 8_000, heartbeatMs: 5_000 });
}

async function giveUp(ms) {
	await sleep(ms, undefined, { ref: false });
	throw new Error(`No answer in ${ms} ms.`);
}

/** Resolves with nothing when the signal is aborted. */
function aborted(signal) {
	return new Promise((resolve) => {
		signal.addEventListener("abort", () => resolve(undefined), { once: true });
	});
}
