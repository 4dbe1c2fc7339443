import { badRequest, RelayError } from "./relay-error";

/** Deeper than any request, and far from where recursion over a value would end the process. */
const MAX_DEPTH = 64;

/** The JSON of a request, read no further than the cap. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
	const text = await readText(request, maxBytes);
	if (depthOf(text) > MAX_DEPTH) throw badRequest(`The body is nested over ${MAX_DEPTH} deep.`);
	try {
		return JSON.parse(text);
	} catch {
		throw badRequest("The body is not JSON.");
	}
}

async function readText(request: Request, maxBytes: number): Promise<string> {
	const length = request.headers.get("content-length");
	if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
	const decoder = new TextDecoder("utf-8", { fatal: true });
	let text = "";
	let bytes = 0;
	try {
		// A server takes no more than what was announced, so that is a bound too.
		if (length !== null) {
			const body = await request.arrayBuffer();
			if (body.byteLength > maxBytes) throw tooLarge(maxBytes);
			return decoder.decode(body);
		}
		// Leaving the loop early cancels the body, so the rest is not read.
		for await (const chunk of request.body ?? []) {
			bytes += chunk.byteLength;
			if (bytes > maxBytes) throw tooLarge(maxBytes);
			text += decoder.decode(chunk, { stream: true });
		}
		return text + decoder.decode();
	} catch (error) {
		if (error instanceof RelayError) throw error;
		throw badRequest("The body could not be read as UTF-8 text.");
	}
}

function tooLarge(maxBytes: number): RelayError {
	return new RelayError("TOO_LARGE", `The body is over ${maxBytes} bytes.`);
}

/** How deep brackets go outside of strings. Text that is no JSON gets some number; it fails later. */
function depthOf(text: string): number {
	let depth = 0;
	let deepest = 0;
	for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
		if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
		else if (token === "]" || token === "}") depth--;
	}
	return deepest;
}
