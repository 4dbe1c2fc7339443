import { request } from "node:http";

/** Milliseconds until the answer holds the text; the connection is cut then. */
export function firstEvent({ url, headers, body = "" }, text) {
	return new Promise((resolve, reject) => {
		const start = performance.now();
		const outgoing = request(url, { method: "POST", headers }, (response) => {
			response.setEncoding("utf8");
			response.on("data", (chunk) => {
				if (!chunk.includes(text)) return;
				resolve(performance.now() - start);
				outgoing.destroy();
			});
		});
		outgoing.on("error", reject);
		outgoing.end(body);
	});
}
