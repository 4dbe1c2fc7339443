import { ConfigError } from "./config-error";
import type { SettingValues } from "./settings";

export interface A2aConfig {
	port: number | "off";
	/** Undefined: the address that it listens on. */
	baseUrl: string | undefined;
	/** Empty: what there is by default. */
	agents: readonly string[];
	apiKey: string | undefined;
	delegateApiKey: string | undefined;
	ratePerMinute: number;
	delegateRatePerMinute: number;
	/** Empty: any. */
	pushHosts: readonly string[];
	pushPrivate: boolean;
	jwt: { issuer: string; audience: string; jwks: URL } | undefined;
	/** Absolute. */
	remoteAgentsFile: string | undefined;
}

/** The settings of the A2A door. `inHome` makes a path absolute. */
export function a2aConfig(values: SettingValues, inHome: (path: string) => string): A2aConfig {
	const file = values.BATON_A2A_REMOTE_AGENTS;
	return {
		port: values.BATON_A2A_PORT,
		baseUrl: values.BATON_A2A_PUBLIC_URL,
		agents: values.BATON_A2A_AGENTS,
		apiKey: values.BATON_A2A_API_KEY,
		delegateApiKey: values.BATON_A2A_DELEGATE_API_KEY,
		ratePerMinute: values.RATE_LIMIT_A2A,
		delegateRatePerMinute: values.RATE_LIMIT_DELEGATE,
		pushHosts: values.BATON_A2A_PUSH_HOSTS,
		pushPrivate: values.BATON_A2A_PUSH_PRIVATE,
		jwt: jwtOf(values),
		remoteAgentsFile: file === undefined ? undefined : inHome(file),
	};
}

/** All three or none: half of a check is no check. */
function jwtOf(values: SettingValues): A2aConfig["jwt"] {
	const names = [
		"BATON_A2A_JWT_ISSUER",
		"BATON_A2A_JWT_AUDIENCE",
		"BATON_A2A_JWT_JWKS_URL",
	] as const;
	const [issuer, audience, jwks] = names.map((name) => values[name]);
	if (issuer && audience && jwks) return { issuer, audience, jwks: new URL(jwks) };
	const missing = names.filter((name) => !values[name]);
	if (missing.length === names.length) return undefined;
	throw new ConfigError(
		missing.map((name) => ({
			name,
			reason: "is needed for tokens to be checked",
			source: "default",
		})),
	);
}
