import type { REDIS_VARIABLES } from "@baton/session";
import {
	httpUrl,
	list,
	namedIds,
	oneOf,
	onOff,
	origins,
	portOrOff,
	safeUrl,
	text,
	wholeNumber,
} from "./kinds";
import { OPERATIONS_SETTINGS } from "./operations-settings";
import { apiKeys, gatewayToken, oneApiKey, redisUrl } from "./secret-kinds";
import type { Setting, Values } from "./setting";

const REDIS_ABOUT = {
	REDIS_TLS_URL: "Keep sessions in Redis. The first of these five that is set is used",
	REDIS_URL: "The same",
	KV_URL: "The same, as Vercel KV names it",
	UPSTASH_REDIS_TLS_URL: "The same, as Upstash names it",
	UPSTASH_REDIS_URL: "The same, as Upstash names it",
} satisfies Record<(typeof REDIS_VARIABLES)[number], string>;

const redisAddress = (variable: (typeof REDIS_VARIABLES)[number]) =>
	({ read: redisUrl, secret: true, about: REDIS_ABOUT[variable] }) as const;

/** Ten years: more is for ever. */
const MAX_SECONDS = 315_360_000;

/** Every setting there is, by its variable. `docs/configuration.md` is made from this table. */
export const SETTING_GROUPS = {
	Server: {
		BATON_HOST: {
			read: text,
			fallback: "127.0.0.1",
			about: "Address that the server listens on. `0.0.0.0` opens it to the network",
		},
		BATON_PORT: {
			read: wholeNumber(0, 65_535),
			fallback: "3000",
			about: "Port of the web app and the agent API. `0`: any free one",
		},
		BATON_WEB: {
			read: onOff,
			fallback: "on",
			about: "`off`: the agent API alone, without the web app",
		},
		BATON_PUBLIC_URL: {
			read: httpUrl,
			shown: "the address of the request",
			about: "Where pages reach this server, when a proxy is in front of it",
		},
		BATON_DATA_DIR: {
			read: text,
			fallback: "~/.proj-jarvis",
			about: "Data folder: sessions, the made key, the folders that CLI agents work in",
		},
		BATON_LOG_LEVEL: {
			also: "LOG_LEVEL",
			read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
			fallback: "info",
			about:
				"What goes to standard error: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`",
		},
		BATON_STOP_SECONDS: {
			read: wholeNumber(0, 3_600),
			fallback: "5",
			about: "How long a stop waits for running turns. The rest is recovered at the next start",
		},
	},
	Access: {
		BATON_API_KEYS: {
			read: apiKeys,
			shown: "one is made for `local`",
			secret: true,
			about: "`owner:key,owner:key`. A session belongs to the owner whose key made it",
		},
		BATON_WEB_OWNER: {
			read: text,
			shown: "`local` on this machine without keys; else each visitor is somebody of their own",
			about:
				"Whoever opens the web app is this owner, one of `BATON_API_KEYS`. Only where nobody else can open it",
		},
		BATON_CORS_ORIGINS: {
			read: origins,
			fallback: "",
			shown: "none",
			about: "Pages of other origins that may call, with commas between",
		},
		BATON_RATE_PER_MINUTE: {
			read: wholeNumber(1, 1_000_000),
			fallback: "600",
			about: "Requests a minute for each owner",
		},
		BATON_NEWCOMERS_PER_MINUTE: {
			read: wholeNumber(1, 1_000_000),
			fallback: "120",
			about: "Requests a minute to the web app from each address, of visitors without a cookie",
		},
		BATON_TRUSTED_PROXIES: {
			read: wholeNumber(0, 16),
			fallback: "0",
			about:
				"How many proxies stand in front of the web app. Each adds an address to `X-Forwarded-For`; what stands there beyond that is not believed",
		},
		BATON_MAX_BODY_BYTES: {
			read: wholeNumber(1_024, 64 * 1024 * 1024),
			fallback: "1048576",
			about: "The largest body of a request",
		},
	},
	Gateway: {
		PROJ_JARVIS_PORT: {
			read: wholeNumber(0, 65_535),
			fallback: "18789",
			about: "Port of the gateway. `0`: any free one",
		},
		PROJ_JARVIS_HOST: {
			read: text,
			shown: "that of `BATON_HOST`",
			about: "Address that the gateway listens on",
		},
		PROJ_JARVIS_TOKEN: {
			read: gatewayToken,
			shown: "one is made",
			secret: true,
			about:
				"What a socket sends first. It stands for the one owner of `BATON_API_KEYS`, else for `local`",
		},
	},
	Store: {
		REDIS_TLS_URL: redisAddress("REDIS_TLS_URL"),
		REDIS_URL: redisAddress("REDIS_URL"),
		KV_URL: redisAddress("KV_URL"),
		UPSTASH_REDIS_TLS_URL: redisAddress("UPSTASH_REDIS_TLS_URL"),
		UPSTASH_REDIS_URL: redisAddress("UPSTASH_REDIS_URL"),
		REDIS_TLS_REJECT_UNAUTHORIZED: {
			read: onOff,
			fallback: "on",
			about: "`false` accepts any certificate of Redis. Only on a network that is trusted itself",
		},
		BATON_REDIS_PREFIX: {
			read: text,
			fallback: "",
			shown: "none",
			about: "Put before every key, where one Redis serves more than Baton",
		},
		BATON_REDIS_WAIT_REPLICAS: {
			read: wholeNumber(0, 16),
			fallback: "0",
			about:
				"Replicas that must have a write before it counts. As many as may be promoted: then a failover loses nothing",
		},
		BATON_FSYNC: {
			read: oneOf("never", "interval", "always"),
			fallback: "interval",
			about:
				"When files are forced onto the disk: a power failure may cost `never` 30 s, `interval` 1 s, `always` nothing",
		},
		BATON_KEEP_EVENTS_SECONDS: {
			read: wholeNumber(1, MAX_SECONDS),
			fallback: "86400",
			about:
				"How long the events of a turn are kept after its end, for readers who come late. The messages stay",
		},
		BATON_SESSION_TTL_SECONDS: {
			read: wholeNumber(60, MAX_SECONDS),
			shown: "for ever",
			about: "How long a new session is kept after its last turn",
		},
	},
	Operations: OPERATIONS_SETTINGS,
	Agents: {
		BATON_AGENT: {
			read: text,
			fallback: "demo",
			about:
				"The default agent: `demo`, `gemini`, `codex`, `claude-code`, `agentforce` or `provider/model`",
		},
		BATON_DEMO: {
			read: onOff,
			fallback: "on",
			about: "`off`: an agent without its key is an error, and `demo` does not stand in for it",
		},
		BATON_TURN_SECONDS: {
			read: wholeNumber(1, 86_400),
			fallback: "1800",
			about: "How long one turn may take",
		},
		BATON_ANSWER_SECONDS: {
			read: wholeNumber(1, 86_400),
			fallback: "600",
			about: "How long a page may take to answer a request",
		},
		GEMINI_API_KEY: { read: text, secret: true, about: "For `gemini`" },
		GOOGLE_GEMINI_BASE_URL: { read: httpUrl, about: "For `gemini`: another endpoint" },
		GEMINI_MODEL: { read: text, shown: "the CLI's own", about: "For `gemini`: the model" },
		OPENAI_API_KEY: { read: text, secret: true, about: "For `codex` and `openai/…`" },
		OPENAI_BASE_URL: { read: httpUrl, about: "For `codex` and `openai/…`: another endpoint" },
		ANTHROPIC_API_KEY: {
			read: text,
			secret: true,
			about: "For `claude-code` and `anthropic/…`",
		},
		ANTHROPIC_BASE_URL: {
			read: httpUrl,
			about: "For `claude-code` and `anthropic/…`: another endpoint",
		},
		ANTHROPIC_MODEL: { read: text, about: "For `claude-code`: the model" },
		GOOGLE_GENERATIVE_AI_API_KEY: { read: text, secret: true, about: "For `google/…`" },
		GOOGLE_GENERATIVE_AI_BASE_URL: { read: httpUrl, about: "For `google/…`: another endpoint" },
		OPENAI_COMPATIBLE_BASE_URL: {
			read: httpUrl,
			about: "For `openai-compatible/…`: the server, one of your own for instance",
		},
		OPENAI_COMPATIBLE_API_KEY: {
			read: text,
			secret: true,
			about: "For `openai-compatible/…`, if that server wants a key",
		},
		SALESFORCE_SERVER_URL: {
			read: safeUrl,
			about: "For `agentforce`: the org's My Domain, `https://….my.salesforce.com`",
		},
		SALESFORCE_CLIENT_ID: {
			read: text,
			about: "For `agentforce`: the consumer key of an external client app",
		},
		SALESFORCE_CLIENT_SECRET: { read: text, secret: true, about: "For `agentforce`: its secret" },
		SALESFORCE_AGENT_ID: { read: text, about: "For `agentforce`: the agent, `0Xx…`" },
		SALESFORCE_API_URL: {
			read: safeUrl,
			fallback: "https://api.salesforce.com",
			about: "For `agentforce`: where the Agent API is",
		},
		BATON_AGENTFORCE_AGENTS: {
			read: namedIds,
			fallback: "",
			shown: "none",
			about:
				"More agents of the same org, `sales:0Xx…,service:0Xx…`: each is the agent `agentforce/<name>`",
		},
		SESSION_TTL_SECONDS: {
			read: wholeNumber(1, MAX_SECONDS),
			fallback: "1800",
			about:
				"For `agentforce`: how long a conversation keeps its Agentforce session after its last message",
		},
	},
	A2A: {
		BATON_A2A_PORT: {
			read: portOrOff,
			fallback: "4100",
			about: "Port of the A2A door. `0`: any free one. `off`: none",
		},
		BATON_A2A_PUBLIC_URL: {
			read: httpUrl,
			shown: "the address it listens on",
			about:
				"Where callers of A2A reach this server, as the agent cards say it. Set it when `BATON_HOST` is `0.0.0.0`: the cards say `127.0.0.1` otherwise",
		},
		BATON_A2A_AGENTS: {
			read: list,
			fallback: "",
			shown: "`agentforce`, the default agent, `demo`",
			about:
				"Agents that A2A serves, with commas between: the first at `/`, each at `/agents/<name>`",
		},
		BATON_A2A_API_KEY: {
			also: "API_KEY",
			read: oneApiKey,
			secret: true,
			about: "One more key for A2A, of the owner `a2a`. At least 16 characters",
		},
		BATON_A2A_DELEGATE_API_KEY: {
			also: "DELEGATE_API_KEY",
			read: oneApiKey,
			secret: true,
			about: "The key for `/api/v1`, of the owner `delegate`; then no other key is taken there",
		},
		RATE_LIMIT_A2A: {
			read: wholeNumber(1, 1_000_000),
			fallback: "100",
			about: "Requests of A2A a minute for each owner",
		},
		RATE_LIMIT_DELEGATE: {
			read: wholeNumber(1, 1_000_000),
			fallback: "60",
			about: "Requests to `/api/v1` a minute for each owner",
		},
		BATON_A2A_PUSH_HOSTS: {
			read: list,
			fallback: "",
			shown: "any",
			about: "Hosts that webhooks may have: `hooks.example.com,*.example.org`",
		},
		BATON_A2A_PUSH_PRIVATE: {
			read: onOff,
			fallback: "off",
			about: "`on` lets webhooks have loopback, private and link-local addresses",
		},
		BATON_A2A_JWT_ISSUER: {
			read: text,
			about: "Tokens of this issuer are taken by A2A beside keys. Needs the next two",
		},
		BATON_A2A_JWT_AUDIENCE: { read: text, about: "Whom those tokens must be meant for" },
		BATON_A2A_JWT_JWKS_URL: { read: httpUrl, about: "Where that issuer publishes its keys" },
		BATON_A2A_REMOTE_AGENTS: {
			read: text,
			about: "File with the agents that `/api/v1/delegate` reaches, by alias",
		},
	},
} as const satisfies Record<string, Record<string, Setting>>;

export const SETTINGS = {
	...SETTING_GROUPS.Server,
	...SETTING_GROUPS.Access,
	...SETTING_GROUPS.Gateway,
	...SETTING_GROUPS.Store,
	...SETTING_GROUPS.Operations,
	...SETTING_GROUPS.Agents,
	...SETTING_GROUPS.A2A,
};

/** Every name under which a setting is looked for. */
export const SETTING_NAMES: readonly string[] = Object.entries(
	SETTINGS as Record<string, Setting>,
).flatMap(([name, { also }]) => (also === undefined ? [name] : [name, also]));

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = Values<typeof SETTINGS>;
