// The fake agent API in a process of its own, so that a test can count what is its own.
import { startFakeAgentApi } from "../../dist/testing/index.js";

const delta = (content) => ({ type: "message", role: "assistant", content, delta: true });

const api = await startFakeAgentApi({
	*script({ message, sessionId }) {
		yield { type: "init", session_id: sessionId };
		yield delta("one ");
		if (message === "ask")
			yield { type: "snapshot_request", requestId: sessionId, instruction: "x" };
		if (message === "cut") {
			yield { wait: 2 };
			yield { cut: true };
		}
		if (message === "endless") for (;;) yield* [delta("more "), { wait: 2 }];
		yield delta("two");
		yield { type: "result", status: "success" };
		setTimeout(() => api.sessions.delete(sessionId), 5_000).unref();
	},
});
process.stdout.write(`listening ${api.url}\n`);
