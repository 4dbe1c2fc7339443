import { AgentforceError } from "./agentforce-error";
import { readBytes } from "./read-bytes";

const MAX_BODY = 4 * 1024 * 1024;

/** The body as text, up to a size that no answer of the API has. */
export async function readText(
	response: Response,
	silenceMs: number,
	signal?: AbortSignal,
): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	for await (const bytes of readBytes(response, silenceMs, signal)) {
		text += decoder.decode(bytes, { stream: true });
		if (text.length > MAX_BODY) throw new AgentforceError("garbled", "The answer is too long.");
	}
	return text + decoder.decode();
}

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
