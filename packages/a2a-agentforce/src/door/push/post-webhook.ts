import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { PushAddresses } from "./push-addresses";

interface WebhookCall {
	url: string;
	headers: Record<string, string>;
	body: string;
	/** Aborted: the call is given up. */
	signal: AbortSignal;
}

/**
 * Posts to a webhook, and returns the status. The socket goes to an address that was just checked,
 * redirects are not followed, and nothing of the answer but its status is read.
 */
export async function postWebhook(addresses: PushAddresses, call: WebhookCall): Promise<number> {
	const url = addresses.parse(call.url);
	const send = url.protocol === "https:" ? httpsRequest : httpRequest;
	return new Promise<number>((resolve, reject) => {
		const request = send(url, {
			method: "POST",
			headers: { ...call.headers, "Content-Length": Buffer.byteLength(call.body) },
			lookup: addresses.lookup,
			agent: false,
			signal: call.signal,
		});
		request.once("response", (response) => {
			resolve(response.statusCode ?? 0);
			response.destroy();
		});
		// An answer too, though Node does not count it as one; what was asked for is not there.
		request.once("upgrade", ({ statusCode = 0 }, socket) => {
			resolve(statusCode);
			socket.destroy();
		});
		// Also after the answer, when the socket is thrown away.
		request.on("error", reject);
		// However else it ends, it ends.
		request.once("close", () => reject(new Error("It closed without an answer.")));
		const give = () => reject(call.signal.reason);
		call.signal.addEventListener("abort", give, { once: true });
		request.end(call.body);
	});
}
