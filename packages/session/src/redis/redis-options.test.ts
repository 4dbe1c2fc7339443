import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { BatonError } from "../errors";
import { parseRedisOptions, parseRedisUrl, type RedisTarget } from "./redis-options";

const SECRET = "s3cret";

function errorOf(action: () => unknown): BatonError {
	try {
		action();
	} catch (error) {
		expect(error).toBeInstanceOf(BatonError);
		expect((error as BatonError).code).toBe("invalid");
		expect(inspect(error, { depth: 10 })).not.toContain(SECRET);
		return error as BatonError;
	}
	throw new Error("It was accepted.");
}

describe("parseRedisUrl", () => {
	const single = { kind: "single", db: 0, tls: false } as const;
	const cases: [url: string, target: Partial<RedisTarget>][] = [
		["redis://localhost", { ...single, nodes: [{ host: "localhost", port: 6379 }] }],
		["redis://localhost/", { ...single, shown: "redis://localhost" }],
		["redis://h:1234/3", { ...single, db: 3, shown: "redis://h:1234/3" }],
		["  redis://h:1234\n", { ...single, nodes: [{ host: "h", port: 1234 }] }],
		["rediss://h:6380", { ...single, tls: true, shown: "rediss://h:6380" }],
		["redis://[::1]:7000", { ...single, nodes: [{ host: "::1", port: 7000 }] }],
		["redis://h:1?family=6", { ...single, nodes: [{ host: "h", port: 1 }], shown: "redis://h:1" }],
		[`redis://:${SECRET}@h:1`, { password: SECRET, shown: "redis://h:1" }],
		[`redis://${SECRET}@h:1`, { password: SECRET, shown: "redis://h:1" }],
		[`redis://default:${SECRET}@h:1`, { username: "default", password: SECRET }],
		["redis://u%40x:p%3A%2F%40%25@h:1", { username: "u@x", password: "p:/@%" }],
		["redis://u:a:b@h:1", { username: "u", password: "a:b" }],
		[
			"redis+cluster://a:1,b:2,c",
			{
				kind: "cluster",
				nodes: [
					{ host: "a", port: 1 },
					{ host: "b", port: 2 },
					{ host: "c", port: 6379 },
				],
				shown: "redis+cluster://a:1,b:2,c",
			},
		],
		[`redis+clusters://u:${SECRET}@a:1`, { kind: "cluster", tls: true, password: SECRET }],
		[
			"redis+sentinel://a,b:2/main",
			{
				kind: "sentinel",
				nodes: [
					{ host: "a", port: 26379 },
					{ host: "b", port: 2 },
				],
				name: "main",
			},
		],
		["redis+sentinels://a", { kind: "sentinel", tls: true, name: "mymaster" }],
	];
	it.each(cases)("understands %s", (url, expected) => {
		expect(parseRedisUrl(url)).toMatchObject(expected);
	});

	it("has no user and no password where none is given", () => {
		expect(parseRedisUrl("redis://h")).not.toHaveProperty("username");
		expect(parseRedisUrl("redis://h")).not.toHaveProperty("password");
	});

	const malformed = [
		"",
		"h:6379",
		"http://h:6379",
		`https://default:${SECRET}@h`,
		"redis:/h",
		"redis://",
		"redis:///0",
		"redis://@",
		"redis://:6379",
		"redis://h:0",
		"redis://h:65536",
		"redis://h:port",
		"redis://h:1:2",
		"redis://a:1,b:2",
		"redis://h:1/zero",
		"redis://h:1/-1",
		"redis+cluster://a:1,,b:2",
		"redis+cluster://a:1/3",
		"redis+other://a:1",
		`redis://:${SECRET}%zz@h:1`,
		// An unescaped "/", "@", "#" or "?" in the password: its parts must not look like a host.
		`redis://:a/${SECRET}@h:1`,
		`redis://:${SECRET}/a@h:1`,
		`redis://:a@${SECRET}@h:1`,
		`redis://:${SECRET}@a@h:1`,
		`redis://:a?${SECRET}@h:1`,
		`redis://:${SECRET}?a@h:1`,
		`redis://:${SECRET}@h h:1`,
		`redis://user:${SECRET}@h:port`,
		`redis://user:${SECRET}`,
	];
	it.each(malformed)("refuses %j, and does not repeat a password", (url) => {
		expect(errorOf(() => parseRedisUrl(url)).message).toContain("Redis address");
	});
});

describe("parseRedisOptions", () => {
	it("fills in the defaults", () => {
		expect(parseRedisOptions({ url: "redis://h" })).toEqual({
			url: "redis://h",
			prefix: "",
			rejectUnauthorized: true,
			timeoutMs: 10_000,
			commandTimeoutMs: 4_000,
			waitReplicas: 0,
			waitTimeoutMs: 1_000,
			pollMs: 5_000,
		});
	});

	it.each([
		[{ url: "" }, "url"],
		[{ url: `redis://:${SECRET}@h`, prefix: "a{b}" }, "prefix"],
		[{ url: `redis://:${SECRET}@h`, prefix: "a b" }, "prefix"],
		[{ url: `redis://:${SECRET}@h`, timeoutMs: 0 }, "timeoutMs"],
		[{ url: `redis://:${SECRET}@h`, waitReplicas: -1 }, "waitReplicas"],
		[{ url: `redis://:${SECRET}@h`, waitReplicas: 1, waitTimeoutMs: 4_000 }, "waitTimeoutMs"],
		[{ url: `redis://:${SECRET}@h`, tls: true }, "tls"],
	])("refuses %j and names what is wrong", (options, name) => {
		expect(errorOf(() => parseRedisOptions(options)).message).toContain(name);
	});
});
