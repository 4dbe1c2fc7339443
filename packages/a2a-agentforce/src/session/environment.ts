import { BatonError, findRedisAddress } from "@baton/session";

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_TTL_SECONDS = 1_800;
const MAX_TTL_SECONDS = 365 * 24 * 3_600;

/** How long a mapping lives after its last write: `SESSION_TTL_SECONDS`. */
export function sessionTtlSeconds(env: Environment = process.env): number {
	const text = env.SESSION_TTL_SECONDS?.trim();
	if (!text) return DEFAULT_TTL_SECONDS;
	const seconds = Number(text);
	if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TTL_SECONDS) return seconds;
	throw new BatonError(
		"invalid",
		`SESSION_TTL_SECONDS must be a whole number from 1 to ${MAX_TTL_SECONDS}.`,
	);
}

interface RedisEnvironment {
	url: string;
	/** Certificates are checked unless `REDIS_TLS_REJECT_UNAUTHORIZED` is `false`. */
	rejectUnauthorized: boolean;
}

/** Where Redis is: `REDIS_TLS_URL`, which is always TLS, before `REDIS_URL`. */
export function redisEnvironment(
	{ REDIS_TLS_URL, REDIS_URL, REDIS_TLS_REJECT_UNAUTHORIZED }: Environment = process.env,
): RedisEnvironment | null {
	const address = findRedisAddress({ REDIS_TLS_URL, REDIS_URL });
	if (!address) return null;
	const isTls = address.variable === "REDIS_TLS_URL";
	return {
		url: isTls ? address.url.replace(/^redis:/, "rediss:") : address.url,
		rejectUnauthorized: !/^(false|off|no|0)$/i.test(REDIS_TLS_REJECT_UNAUTHORIZED?.trim() ?? ""),
	};
}
