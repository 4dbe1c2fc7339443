import { AgentforceError } from "./agentforce-error";

const MAX_BODY = 4 * 1024 * 1024;

/** The body as text, up to a size that no answer of the API has. */
export async function readText(response: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	for await (const bytes of response.body ?? []) {
		text += decoder.decode(bytes as Uint8Array, { stream: true });
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
