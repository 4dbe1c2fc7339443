import { withinTime } from "@baton/session";
import type { RemoteAgent } from "./remote-agents";

/** The largest answer of a remote agent. */
const MAX_ANSWER = 8 * 1024 * 1024;

/**
 * `fetch` for one remote agent. Its token goes to its own origins alone, whatever its card says;
 * redirects are not followed, and an answer has a cap.
 */
export function createRemoteFetch(remote: RemoteAgent, timeoutMs: number): typeof fetch {
	return async (input, init = {}) => {
		const url = new URL(input instanceof Request ? input.url : input);
		if (!remote.origins.has(url.origin)) {
			throw new Error(`The card of ${remote.alias} leads to ${url.origin}, which is not allowed.`);
		}
		const headers = new Headers(init.headers);
		if (remote.token !== undefined) headers.set("authorization", `Bearer ${remote.token}`);
		return withinTime(timeoutMs, init.signal, async (signal) => {
			const response = await fetch(url, { ...init, headers, redirect: "error", signal });
			const { status, statusText } = response;
			const body = await readCapped(response);
			return new Response(body, { status, statusText, headers: response.headers });
		});
	};
}

async function readCapped(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
	const pieces: Uint8Array[] = [];
	let length = 0;
	for await (const piece of response.body ?? []) {
		length += (piece as Uint8Array).length;
		if (length > MAX_ANSWER) throw new Error("The remote agent's answer is too large.");
		pieces.push(piece as Uint8Array);
	}
	return length === 0 ? null : new Uint8Array(Buffer.concat(pieces));
}
