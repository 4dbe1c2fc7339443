import * as z from "zod";

/** Where to ask, and as whom. */
export interface RelaySettings {
	url: string;
	sessionId: string;
	token: string;
	/** How long a page has for its answer. */
	timeoutMs: number;
}

const environmentSchema = z.object({
	BROWSER_TOOL_RELAY_URL: z.url({ protocol: /^https?$/ }),
	BROWSER_TOOL_RELAY_SESSION_ID: z.string().min(1),
	BROWSER_TOOL_RELAY_TOKEN: z.string().min(1),
	BROWSER_TOOL_RELAY_TIMEOUT_MS: z.coerce.number().int().min(1).max(600_000).default(120_000),
});

/** Reads the settings from an environment. The error names the variable, and never its value. */
export function readRelaySettings(
	env: Readonly<Record<string, string | undefined>>,
): RelaySettings {
	const result = environmentSchema.safeParse(env);
	if (!result.success) {
		const names = new Set(result.error.issues.map(({ path }) => String(path[0])));
		const wrong = Array.from(names, (name) => `${name} is ${env[name] ? "not valid" : "not set"}`);
		throw new Error(`The relay cannot be reached: ${wrong.join("; ")}.`);
	}
	return {
		url: result.data.BROWSER_TOOL_RELAY_URL,
		sessionId: result.data.BROWSER_TOOL_RELAY_SESSION_ID,
		token: result.data.BROWSER_TOOL_RELAY_TOKEN,
		timeoutMs: result.data.BROWSER_TOOL_RELAY_TIMEOUT_MS,
	};
}
