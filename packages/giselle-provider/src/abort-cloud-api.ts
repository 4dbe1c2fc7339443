import { besideRun } from "./endpoints";
import type { GiselleProviderDeps } from "./types";
import { withTimeout } from "./with-timeout";

const TIMEOUT_MS = 5_000;

/** `POST …/agent-api/abort`, the default of `deps.abortCloudApi`. */
export const abortCloudApi: NonNullable<GiselleProviderDeps["abortCloudApi"]> = async ({
	endpoint,
	sessionId,
	runId,
	headers,
}) => {
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
};
