import { join, resolve } from "node:path";
import { findRedisAddress } from "@baton/session";
import { LOCAL_OWNER } from "../keys/local-key";
import { a2aConfig } from "./a2a-config";
import { agentforceConfig } from "./agentforce-config";
import type { Config, GatewayConfig, RedisConfig } from "./config";
import { ConfigError, type ConfigProblem } from "./config-error";
import { type ConfigFile, readConfigFile } from "./config-file";
import { metricsOf, tracesOf } from "./operations-config";
import { type ReadSettings, readSettings, type SettingSource } from "./read-settings";
import { secretValues } from "./secret-values";
import { SETTINGS, type SettingValues } from "./settings";
import { explainUnknown, isSetting, unknownVariables } from "./unknown-settings";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration: the environment, then the file that BATON_CONFIG names, or `config.json` in
 * the data folder. Throws a ConfigError with everything that is wrong.
 */
export async function loadConfig(env: Environment, home: string): Promise<Config> {
	const file = await findConfigFile(env, home);
	const sources: SettingSource[] = [
		{ name: "environment", values: env },
		...(file ? [{ name: file.path, values: file.values }] : []),
	];
	const read = readSettings(sources);
	const problems = [...read.problems, ...(file ? unknownInFile(file) : [])];
	if (problems.length > 0) throw new ConfigError(problems);
	const environment = { ...file?.values, ...withoutEmpty(env) };
	return {
		...settingsOf(read),
		dataDir: inHome(read.values.BATON_DATA_DIR, home),
		gateway: gatewayOf(read, env, file),
		redis: redisOf(read, environment),
		a2a: a2aConfig(read.values, (path) => inHome(path, home)),
		metrics: metricsOf(read.values),
		traces: tracesOf(read.values),
		agentforce: agentforceConfig(read.values),
		environment,
		secrets: secretValues(sources),
		warnings: [
			...unknownVariables(env).map((name) => `${name} ${explainUnknown(name)}`),
			...read.ignored.map(({ also, name, reason }) => `${also} is not used: ${reason} (${name}).`),
		],
		file: file?.path,
	};
}

async function findConfigFile(env: Environment, home: string): Promise<ConfigFile | null> {
	const named = env.BATON_CONFIG?.trim();
	if (named) return readConfigFile(inHome(named, home), true);
	const dataDir = env.BATON_DATA_DIR?.trim() || SETTINGS.BATON_DATA_DIR.fallback;
	const file = await readConfigFile(join(inHome(dataDir, home), "config.json"), false);
	if (file?.values.BATON_DATA_DIR === undefined) return file;
	// It would move the folder that it was found in.
	const reason = "cannot be set in the data folder's own file; use the environment or BATON_CONFIG";
	throw new ConfigError([{ name: "BATON_DATA_DIR", reason, source: file.path }]);
}

function settingsOf({ values }: ReadSettings) {
	return {
		host: values.BATON_HOST,
		port: values.BATON_PORT,
		web: values.BATON_WEB,
		webOwner: webOwnerOf(values),
		publicUrl: values.BATON_PUBLIC_URL,
		logLevel: values.BATON_LOG_LEVEL,
		stopMs: values.BATON_STOP_SECONDS * 1_000,
		apiKeys: values.BATON_API_KEYS,
		corsOrigins: values.BATON_CORS_ORIGINS,
		ratePerMinute: values.BATON_RATE_PER_MINUTE,
		newcomersPerMinute: values.BATON_NEWCOMERS_PER_MINUTE,
		trustedProxies: values.BATON_TRUSTED_PROXIES,
		maxBodyBytes: values.BATON_MAX_BODY_BYTES,
		fsync: values.BATON_FSYNC,
		agent: values.BATON_AGENT,
		demoStandsIn: values.BATON_DEMO,
		keepEventsMs: values.BATON_KEEP_EVENTS_SECONDS * 1_000,
		sessionTtlMs:
			values.BATON_SESSION_TTL_SECONDS === undefined
				? undefined
				: values.BATON_SESSION_TTL_SECONDS * 1_000,
		turnMs: values.BATON_TURN_SECONDS * 1_000,
		answerMs: values.BATON_ANSWER_SECONDS * 1_000,
	};
}

/** A name that no key has would be somebody whom no other door knows. */
function webOwnerOf({ BATON_WEB_OWNER: owner, BATON_API_KEYS: keys }: SettingValues) {
	const owners = keys?.owners ?? [LOCAL_OWNER];
	if (owner === undefined || owners.includes(owner)) return owner;
	const reason = `"${owner}" is no owner; there are: ${owners.join(", ")}`;
	throw new ConfigError([{ name: "BATON_WEB_OWNER", reason }]);
}

function gatewayOf(
	{ values }: ReadSettings,
	env: Environment,
	file: ConfigFile | null,
): GatewayConfig {
	const isInEnvironment = Boolean(env.PROJ_JARVIS_TOKEN?.trim());
	return {
		host: values.PROJ_JARVIS_HOST ?? values.BATON_HOST,
		port: values.PROJ_JARVIS_PORT,
		token: values.PROJ_JARVIS_TOKEN,
		tokenFile: isInEnvironment ? undefined : file?.values.PROJ_JARVIS_TOKEN && file.path,
	};
}

function redisOf({ values }: ReadSettings, environment: Environment): RedisConfig | undefined {
	const address = findRedisAddress(environment);
	if (!address) return undefined;
	return {
		...address,
		rejectUnauthorized: values.REDIS_TLS_REJECT_UNAUTHORIZED,
		prefix: values.BATON_REDIS_PREFIX,
		waitReplicas: values.BATON_REDIS_WAIT_REPLICAS,
	};
}

function unknownInFile({ path, values }: ConfigFile): ConfigProblem[] {
	const unknown = Object.keys(values).filter((name) => !isSetting(name));
	return unknown.map((name) => ({ name, reason: explainUnknown(name), source: path }));
}

function withoutEmpty(env: Environment): Environment {
	return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ""));
}

function inHome(path: string, home: string): string {
	return resolve(path === "~" || path.startsWith("~/") ? join(home, path.slice(2)) : path);
}
