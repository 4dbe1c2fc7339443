import type { AgentforceSettings } from "@baton/a2a-agentforce/agentforce";
import { ConfigError } from "./config-error";
import type { SettingValues } from "./settings";

export interface AgentforceConfig {
	/** Undefined: there are none, and the simulator may serve. */
	credentials: AgentforceSettings | undefined;
	/** The ids of further agents of the org, by the names that people gave them. */
	agents: ReadonlyMap<string, string>;
	/** How long it is kept which Agentforce session serves which session. */
	sessionTtlSeconds: number;
}

/** What Agentforce cannot be reached without. All or none: some of them are a mistake. */
const NEEDED = [
	"SALESFORCE_SERVER_URL",
	"SALESFORCE_CLIENT_ID",
	"SALESFORCE_CLIENT_SECRET",
	"SALESFORCE_AGENT_ID",
] as const;

export function agentforceConfig(values: SettingValues): AgentforceConfig {
	const [serverUrl, clientId, clientSecret, agentId] = NEEDED.map((name) => values[name]);
	const common = {
		agents: values.BATON_AGENTFORCE_AGENTS,
		sessionTtlSeconds: values.SESSION_TTL_SECONDS,
	};
	if (serverUrl && clientId && clientSecret && agentId) {
		const apiUrl = values.SALESFORCE_API_URL;
		const credentials = { serverUrl, clientId, clientSecret, agentId, apiUrl };
		return { credentials, ...common };
	}
	const missing = NEEDED.filter((name) => !values[name]);
	if (missing.length === NEEDED.length) return { credentials: undefined, ...common };
	const reason = "is needed for Agentforce, since others of its settings are set";
	throw new ConfigError(missing.map((name) => ({ name, reason, source: "default" })));
}
