import { z } from "zod";

const HTTP = /^https?:\/\//;
const address = z.url({ protocol: /^https?$/ }).regex(HTTP);

const remoteAgent = z.strictObject({
	/** Where its card is: the address itself, or the one below which `.well-known` is. */
	url: address,
	description: z.string().max(1_000).optional(),
	/** The variable that holds its token: `ENV:NAME`. A token itself does not belong into a file. */
	token: z
		.string()
		.regex(/^ENV:[A-Za-z_][A-Za-z0-9_]*$/, "names a variable: ENV:NAME")
		.optional(),
	/** Other origins that its card may name. Default: its own alone. */
	origins: z.array(address).max(16).optional(),
});

const remoteAgents = z.record(
	z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "is not a plain name"),
	remoteAgent,
);

/** An agent elsewhere that this server may ask on its callers' behalf. */
export interface RemoteAgent {
	alias: string;
	url: string;
	description: string;
	token: string | undefined;
	/** Where requests, and the token, may go. */
	origins: ReadonlySet<string>;
}

/** Reads the file of remote agents: `{"alias": {"url", "description"?, "token"?: "ENV:NAME", "origins"?}}`. */
export function parseRemoteAgents(
	text: string,
	environment: Readonly<Record<string, string | undefined>>,
): RemoteAgent[] {
	const parsed = remoteAgents.safeParse(readJson(text));
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw new Error(`${issue?.path.join(".") || "The file"}: ${issue?.message}`);
	}
	return Object.entries(parsed.data).map(
		([alias, { url, description = "", token, origins = [] }]) => ({
			alias,
			url,
			description,
			token: token === undefined ? undefined : tokenOf(alias, token, environment),
			origins: new Set([url, ...origins].map((one) => new URL(one).origin)),
		}),
	);
}

function tokenOf(
	alias: string,
	reference: string,
	environment: Readonly<Record<string, string | undefined>>,
): string {
	const name = reference.slice("ENV:".length);
	const token = environment[name]?.trim();
	if (!token) throw new Error(`${alias}.token: ${name} is not set`);
	return token;
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error("The file is not JSON.");
	}
}
