import { request } from "node:http";

const TOKEN = '"delta":true';

/** Sends a message and reads its turn to the end: when the first token came, and when the last. */
export function readTurn(url, headers, body) {
	return new Promise((resolve, reject) => {
		const start = performance.now();
		let firstMs = 0;
		let tail = "";
		let cut = "";
		let tokens = 0;
		const outgoing = request(url, { method: "POST", headers }, (response) => {
			response.setEncoding("utf8");
			response.on("data", (data) => {
				// A token may be cut between two reads.
				const text = cut + data;
				for (let at = text.indexOf(TOKEN); at !== -1; at = text.indexOf(TOKEN, at + 1)) {
					if (firstMs === 0) firstMs = performance.now() - start;
					tokens++;
				}
				cut = text.slice(1 - TOKEN.length);
				tail = (tail + data).slice(-400);
			});
			response.on("end", () => {
				if (!tail.includes('"status":"success"')) reject(new Error(`The turn ended with ${tail}`));
				else resolve({ firstMs, totalMs: performance.now() - start, tokens });
			});
			response.on("error", reject);
		});
		outgoing.on("error", reject);
		outgoing.end(JSON.stringify(body));
	});
}
