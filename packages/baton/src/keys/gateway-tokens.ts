import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKeys } from "@baton/agent";
import type { GatewayTokens } from "@baton/gateway";
import type { Config } from "../config/config";
import { readConfigFile } from "../config/config-file";
import { gatewayToken } from "../config/secret-kinds";
import { LOCAL_OWNER, openKeptKey, readKey } from "./local-key";

/** A person may put a token of their own into the file. */
export const TOKEN_FORM = /^\S{8,512}$/;
export const TOKEN_FILE = "gateway-token";
/** The version of a token that is an API key: those change with a restart only. */
const API_KEY = "api-key";

interface OpenedTokens {
	tokens: GatewayTokens;
	/** The token as it is now, for the log to leave out and for the line to try. */
	token: string;
	/** The file that it was made and kept in, if it was not set. */
	path: string | undefined;
	/** True when it was made just now: the one time that it is printed. */
	made: boolean;
}

/**
 * The gateway's token: the one that is set, or the one of this machine. One that stands in a file is
 * read anew for each socket, so that changing it needs no restart. API keys are good too.
 */
export async function openGatewayTokens(
	{ gateway, dataDir }: Pick<Config, "gateway" | "dataDir">,
	keys: ApiKeys,
): Promise<OpenedTokens> {
	const [only, ...others] = keys.owners;
	const owner = only !== undefined && others.length === 0 ? only : LOCAL_OWNER;
	const { token: set, tokenFile } = gateway;
	if (set !== undefined) {
		const read = tokenFile === undefined ? async () => set : () => readSetToken(tokenFile);
		return { tokens: createTokens(read, owner, keys), token: set, path: undefined, made: false };
	}
	const { key, path, made } = await openKeptKey(dataDir, TOKEN_FILE, TOKEN_FORM);
	const read = () => readKey(path, TOKEN_FORM);
	return { tokens: createTokens(read, owner, keys), token: key, path, made };
}

async function readSetToken(path: string): Promise<string | null> {
	const file = await readConfigFile(path, true);
	return gatewayToken.safeParse(file?.values.PROJ_JARVIS_TOKEN?.trim()).data ?? null;
}

function createTokens(
	read: () => Promise<string | null>,
	owner: string,
	keys: ApiKeys,
): GatewayTokens {
	// A token that cannot be read is nobody's.
	const current = async () => {
		const token = await read().catch(() => null);
		return token === null ? null : hashOf(token);
	};
	return {
		async resolve(token) {
			const given = hashOf(token);
			const wanted = await current();
			if (wanted && timingSafeEqual(given, wanted))
				return { owner, version: wanted.toString("hex") };
			const keyOwner = keys.resolve(token);
			return keyOwner === null ? null : { owner: keyOwner, version: API_KEY };
		},
		async isCurrent(version) {
			return version === API_KEY || version === (await current())?.toString("hex");
		},
	};
}

function hashOf(token: string): Buffer {
	return createHash("sha256").update(token).digest();
}
