import { z } from "zod";
import { BatonError } from "../errors";

const address = z.object({ host: z.string().min(1), port: z.number().int().min(1).max(65_535) });

const optionsSchema = z
	.object({
		/**
		 * `redis://` or `rediss://` for one server, `redis+cluster://host:port,host:port`,
		 * `redis+sentinel://host:port,host:port/<name of the master>`. TLS variants end in `s`.
		 */
		url: z.string().min(1),
		/** Put before every key. */
		prefix: z
			.string()
			.max(128)
			.refine((prefix) => !/[{}\s]/.test(prefix), "must not contain braces or white space")
			.default(""),
		/** False accepts any TLS certificate. Only where the network itself is trusted. */
		rejectUnauthorized: z.boolean().default(true),
		/** How long an operation is tried while Redis is away, before it fails as `unavailable`. */
		timeoutMs: z.number().int().min(100).max(600_000).default(10_000),
		/** How long one command may take on a connection before that connection is given up. */
		commandTimeoutMs: z.number().int().min(100).max(600_000).default(4_000),
		/** Replicas that must have a write before it is acknowledged (WAIT). 0: none is waited for. */
		waitReplicas: z.number().int().min(0).max(16).default(0),
		waitTimeoutMs: z.number().int().min(10).max(60_000).default(1_000),
		/** How often a follower that hears nothing looks for itself. */
		pollMs: z.number().int().min(50).max(600_000).default(5_000),
	})
	.strict()
	.refine(
		({ waitReplicas, waitTimeoutMs, commandTimeoutMs }) =>
			waitReplicas === 0 || waitTimeoutMs < commandTimeoutMs,
		{ path: ["waitTimeoutMs"], message: "must be shorter than commandTimeoutMs" },
	);

export type RedisStoreOptions = z.input<typeof optionsSchema>;
export type RedisSettings = z.output<typeof optionsSchema>;

export function parseRedisOptions(options: RedisStoreOptions): RedisSettings {
	const result = optionsSchema.safeParse(options);
	if (result.success) return result.data;
	throw new BatonError("invalid", `Redis options: ${z.prettifyError(result.error)}`);
}

export interface RedisTarget {
	kind: "single" | "cluster" | "sentinel";
	nodes: { host: string; port: number }[];
	username?: string;
	password?: string;
	db: number;
	/** The master's name, for Sentinel. */
	name?: string;
	tls: boolean;
	/** The address as a person may see it: without user and password. */
	shown: string;
}

/** Only the "@" after user and password is one: a password that is not escaped never passes for a host. */
const URL_FORM =
	/^redis(?:\+(cluster|sentinel))?(s?):\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)(?:\/([^@/?#\s]*))?(?:\?[^@#\s]*)?$/;

/** Reads an address. Its errors repeat no part of it, since any part may be a misplaced password. */
export function parseRedisUrl(url: string): RedisTarget {
	const match = URL_FORM.exec(url.trim());
	if (!match) {
		throw malformed(
			"is not understood; it looks like redis://host:6379, rediss://user:password@host:6380/0, redis+cluster://a:6379,b:6379 or redis+sentinel://a:26379,b:26379/mymaster. Special characters in a password are escaped, / as %2F and @ as %40",
		);
	}
	const [, scheme, s, credentials = "", hosts = "", path = ""] = match;
	const kind = (scheme ?? "single") as RedisTarget["kind"];
	const nodes = hosts.split(",").map((host, i) => parseHost(host, i + 1, kind));
	if (kind === "single" && nodes.length > 1) {
		throw malformed("names more than one server; use redis+cluster:// for several");
	}
	if (kind !== "sentinel" && !(kind === "single" ? /^\d*$/ : /^0?$/).test(path)) {
		throw malformed("ends in something that is not the number of a database of that server");
	}
	const [username, password] = splitCredentials(credentials);
	const target: RedisTarget = {
		kind,
		nodes,
		db: kind === "single" ? Number(path) : 0,
		tls: s === "s",
		shown: `redis${scheme ? `+${scheme}` : ""}${s}://${hosts}${path ? `/${path}` : ""}`,
	};
	if (username) target.username = username;
	if (password) target.password = password;
	if (kind === "sentinel") target.name = path || "mymaster";
	return target;
}

function malformed(what: string): BatonError {
	return new BatonError("invalid", `The Redis address ${what}.`);
}

function parseHost(
	text: string,
	position: number,
	kind: RedisTarget["kind"],
): { host: string; port: number } {
	const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(text) ?? [];
	const result = address.safeParse({
		host: host?.replace(/^\[|\]$/g, ""),
		port: port ? Number(port) : kind === "sentinel" ? 26_379 : 6_379,
	});
	if (result.success) return result.data;
	throw malformed(`has no valid host and port at place ${position}`);
}

function splitCredentials(credentials: string): [string, string] {
	// "redis://secret@host" is a password in common use, "redis://:secret@host" the exact form.
	const colon = credentials.indexOf(":");
	try {
		return [
			decodeURIComponent(credentials.slice(0, Math.max(colon, 0))),
			decodeURIComponent(credentials.slice(colon + 1)),
		];
	} catch {
		throw malformed("has a user or password in which % is not an escape; write it as %25");
	}
}
