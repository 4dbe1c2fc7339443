import type { ApiKeys } from "@baton/agent";
import type { REDIS_VARIABLES } from "@baton/session";
import type { A2aConfig } from "./a2a-config";
import type { AgentforceConfig } from "./agentforce-config";
import type { MetricsAccess, TracesConfig } from "./operations-config";
import type { SettingValues } from "./settings";

/** Everything that a person can decide about a Baton process, checked. */
export interface Config {
	host: string;
	port: number;
	/** Whether the web app is served. */
	web: boolean;
	/** Who everyone is that opens the web app. Undefined: that depends on who can. */
	webOwner: string | undefined;
	/** Undefined: pages use the address of the request that told them. */
	publicUrl: string | undefined;
	/** Absolute. */
	dataDir: string;
	logLevel: SettingValues["BATON_LOG_LEVEL"];
	stopMs: number;
	/** Undefined: a key for `local` is made and kept in the data folder. */
	apiKeys: ApiKeys | undefined;
	corsOrigins: readonly string[];
	ratePerMinute: number;
	/** Requests without a cookie, from each address. */
	newcomersPerMinute: number;
	/** How many proxies in front say from where a request came. */
	trustedProxies: number;
	maxBodyBytes: number;
	gateway: GatewayConfig;
	redis: RedisConfig | undefined;
	fsync: SettingValues["BATON_FSYNC"];
	keepEventsMs: number;
	/** Undefined: sessions are kept for ever. */
	sessionTtlMs: number | undefined;
	agent: string;
	/** Whether `demo` stands in for an agent whose key is missing. */
	demoStandsIn: boolean;
	turnMs: number;
	/** Undefined: the figures are not served. */
	metrics: MetricsAccess | undefined;
	/** Undefined: no traces are made. */
	traces: TracesConfig | undefined;
	answerMs: number;
	a2a: A2aConfig;
	agentforce: AgentforceConfig;
	/** Where agents look for their keys, and CLIs for PATH: the file's values under the environment. */
	environment: Readonly<Record<string, string | undefined>>;
	/** Values that must not be shown or logged. */
	secrets: readonly string[];
	/** What a person should know, though it keeps nothing from starting. */
	warnings: readonly string[];
	/** The file that was read, if there was one. */
	file: string | undefined;
}

export interface GatewayConfig {
	host: string;
	port: number;
	/** Undefined: one is made and kept in the data folder. */
	token: string | undefined;
	/** The file that the token stands in, which is looked at again for each socket. */
	tokenFile: string | undefined;
}

export interface RedisConfig {
	url: string;
	variable: (typeof REDIS_VARIABLES)[number];
	rejectUnauthorized: boolean;
	prefix: string;
	waitReplicas: number;
}
