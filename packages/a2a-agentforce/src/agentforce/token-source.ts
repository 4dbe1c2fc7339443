import { z } from "zod";
import { AgentforceError } from "./agentforce-error";
import type { AgentforceSettings, AgentforceTimes } from "./agentforce-settings";
import { parseJson, readText } from "./read-text";

const tokenSchema = z.looseObject({ access_token: z.string().min(1) });
const refusalSchema = z.looseObject({
	error: z.string().optional(),
	error_description: z.string().optional(),
});

/**
 * The access token. It says nothing about when it ends, so it is used until a call is answered with
 * 401. However many calls need a new one, one request is made for it.
 */
export class TokenSource {
	readonly #settings: AgentforceSettings;
	readonly #times: AgentforceTimes;
	readonly #fetch: typeof fetch;
	#token: string | null = null;
	#asking: Promise<string> | null = null;
	#refused: { error: AgentforceError; until: number } | null = null;

	constructor(settings: AgentforceSettings, times: AgentforceTimes, fetchFn: typeof fetch) {
		this.#settings = settings;
		this.#times = times;
		this.#fetch = fetchFn;
	}

	/** A token. `stale` is one that was just refused: never that one again. */
	get(stale?: string): Promise<string> {
		if (this.#token !== null && this.#token !== stale) return Promise.resolve(this.#token);
		if (this.#refused && performance.now() < this.#refused.until) {
			return Promise.reject(this.#refused.error);
		}
		this.#asking ??= this.#askTwice().finally(() => {
			this.#asking = null;
		});
		return this.#asking;
	}

	async #askTwice(): Promise<string> {
		this.#token = null;
		try {
			this.#token = await this.#ask().catch((error: unknown) => {
				if (!(error instanceof AgentforceError) || error.kind !== "unavailable") throw error;
				return this.#ask();
			});
			return this.#token;
		} catch (error) {
			if (error instanceof AgentforceError && error.kind === "login_rate") {
				this.#refused = { error, until: performance.now() + this.#times.loginPauseMs };
			}
			throw error;
		}
	}

	async #ask(): Promise<string> {
		const { serverUrl, clientId, clientSecret } = this.#settings;
		let status = 0;
		let text = "";
		try {
			const response = await this.#fetch(`${serverUrl}/services/oauth2/token`, {
				method: "POST",
				headers: { accept: "application/json" },
				body: new URLSearchParams({
					grant_type: "client_credentials",
					client_id: clientId,
					client_secret: clientSecret,
				}),
				redirect: "error",
				signal: AbortSignal.timeout(this.#times.callMs),
			});
			status = response.status;
			text = await readText(response, this.#times.callMs);
		} catch (cause) {
			throw new AgentforceError("unavailable", "Salesforce's login cannot be reached.", { cause });
		}
		const token = tokenSchema.safeParse(parseJson(text));
		if (status === 200 && token.success) return token.data.access_token;
		throw refusal(status, text);
	}
}

function refusal(status: number, text: string): AgentforceError {
	const body = refusalSchema.safeParse(parseJson(text)).data;
	const details = `${body?.error ?? ""} ${body?.error_description ?? ""}`.trim().slice(0, 500);
	if (/login rate exceeded/i.test(text)) {
		const message = "Salesforce refuses more logins for now; try again later.";
		return new AgentforceError("login_rate", message, { status, details });
	}
	if (status >= 500) {
		const message = "Salesforce's login does not work right now.";
		return new AgentforceError("unavailable", message, { status, details });
	}
	if (status === 200) return new AgentforceError("garbled", "Salesforce's login gave no token.");
	const message = "Salesforce refuses the credentials of this server.";
	return new AgentforceError("unauthorized", message, { status, details });
}
