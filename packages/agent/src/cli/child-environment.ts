import type { CliAdapter } from "./adapter";

/** What any program needs, and nothing that tells it about its host. */
const COMMON = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

interface EnvironmentSources {
	/** Where allowed variables are taken from. */
	env: Readonly<Record<string, string | undefined>>;
	/** Given to the CLI as they are. */
	extraEnv?: Readonly<Record<string, string>>;
	home: string;
	temp: string;
}

/** The whole environment of the CLI: an allow-list, never what this process happens to have. */
export function childEnvironment(
	adapter: CliAdapter,
	{ env, extraEnv, home, temp }: EnvironmentSources,
): Record<string, string> {
	const allowed: Record<string, string> = {};
	for (const name of [...COMMON, ...PROXIES, adapter.keyVariable, ...adapter.variables]) {
		const value = env[name];
		if (value !== undefined && value !== "") allowed[name] = value;
	}
	return {
		...allowed,
		...adapter.env(allowed),
		...extraEnv,
		TERM: "xterm-256color",
		HOME: home,
		TMPDIR: temp,
	};
}
