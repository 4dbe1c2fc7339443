import { GiselleError } from "./giselle-error";

/*
 * Stands in for redis.ts where there is no Node. It says so instead of falling back: two instances
 * that each keep their own sessions would lose every cold resume.
 */

function unavailable(): never {
	throw new GiselleError(
		"store_failed",
		"Redis is configured, but this runtime cannot reach it: hand in `sessions` instead.",
	);
}

export const createRedis = unavailable;
export const createRedisSessions = unavailable;
