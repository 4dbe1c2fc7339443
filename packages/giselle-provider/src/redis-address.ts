/** Where the address of Redis is looked up, first one first; the same order as everywhere in Baton. */
const REDIS_VARIABLES = [
	"REDIS_TLS_URL",
	"REDIS_URL",
	"KV_URL",
	"UPSTASH_REDIS_TLS_URL",
	"UPSTASH_REDIS_URL",
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** The process's environment, where there is one. */
export function environment(): Environment {
	return (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
}

export function findRedisUrl(env: Environment): string | null {
	for (const variable of REDIS_VARIABLES) {
		const url = env[variable]?.trim();
		if (url) return url;
	}
	return null;
}
