import type { IncomingMessage } from "node:http";
import { Refusal } from "./send-error";

/** The body of a request, read no further than its cap. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
	const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
	if (type !== undefined && type !== "application/json") {
		throw new Refusal("CONTENT_TYPE", "Send application/json.");
	}
	const body = await readBody(request, maxBytes);
	try {
		return JSON.parse(body.toString("utf8"));
	} catch {
		throw new Refusal("PARSE_ERROR", "The body is not JSON.");
	}
}

/** What is over the cap is let pass unread, so that the answer gets through; then it is cut. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const pieces: Buffer[] = [];
		let length = 0;
		request.on("data", (piece: Buffer) => {
			length += piece.length;
			if (length <= maxBytes) pieces.push(piece);
			else {
				pieces.length = 0;
				reject(new Refusal("TOO_LARGE", "The body is too large.", { Connection: "close" }));
			}
		});
		request.once("end", () => resolve(Buffer.concat(pieces)));
		request.once("close", () => {
			if (!request.complete) reject(new Refusal("INVALID_ARGUMENT", "The body was cut."));
		});
	});
}
