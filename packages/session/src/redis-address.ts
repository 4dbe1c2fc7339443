/** Where the address of Redis is looked up, first one first, everywhere in Baton. */
export const REDIS_VARIABLES = [
	"REDIS_TLS_URL",
	"REDIS_URL",
	"KV_URL",
	"UPSTASH_REDIS_TLS_URL",
	"UPSTASH_REDIS_URL",
] as const;

/** The configured address of Redis, and the variable that it came from. */
export function findRedisAddress(
	env: Readonly<Record<string, string | undefined>>,
): { url: string; variable: (typeof REDIS_VARIABLES)[number] } | null {
	for (const variable of REDIS_VARIABLES) {
		const url = env[variable]?.trim();
		if (url) return { url, variable };
	}
	return null;
}
