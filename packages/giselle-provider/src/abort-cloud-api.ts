import { besideRun } from "./endpoints";
import type { AbortedTurn } from "./types";
import { withTimeout } from "./with-timeout";

const TIMEOUT_MS = 5_000;

/** `POST …/agent-api/abort`, the default of `deps.abortCloudApi`. */
export async function abortCloudApi(
	fetch: typeof globalThis.fetch,
	{ endpoint, sessionId, runId, headers }: AbortedTurn,
): Promise<void> {
	const address = besideRun(endpoint, "abort");
	if (address === null) return;
	const body = { session_id: sessionId, ...(runId !== undefined && { run_id: runId }) };
	const response = await withTimeout(TIMEOUT_MS, undefined, (signal) =>
		fetch(address, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
			signal,
		}),
	);
	await response.body?.cancel();
}
