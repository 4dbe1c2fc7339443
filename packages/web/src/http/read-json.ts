import { invalid, WebError } from "./web-error";

/** A turn's messages, with the snapshot of a large form among them. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The JSON of a request, read no further than the cap. */
export async function readJson(request: Request): Promise<unknown> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of request.body ?? []) {
		bytes += chunk.byteLength;
		if (bytes > MAX_BYTES)
			throw new WebError(413, "TOO_LARGE", `The body is over ${MAX_BYTES} bytes.`);
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString("utf8"));
	} catch {
		throw invalid("The body is not JSON.");
	}
}
