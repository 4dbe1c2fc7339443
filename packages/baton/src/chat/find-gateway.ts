import { join } from "node:path";
import type { Config } from "../config/config";
import { urlOf } from "../http/listen";
import { TOKEN_FILE, TOKEN_FORM } from "../keys/gateway-tokens";
import { readKey, readLocalKey } from "../keys/local-key";
import { readServerFile } from "../start/server-file";

interface GatewayAddress {
	url: string;
	/** Null when none is set and none was made on this machine. */
	token: string | null;
}

/** Where the gateway of this data folder or configuration is, and the token of this machine for it. */
export async function findGateway({ gateway, dataDir }: Config): Promise<GatewayAddress> {
	const configured = urlOf(gateway.host, gateway.port).replace(/^http/, "ws");
	const url = (await readServerFile(dataDir))?.gateway ?? configured;
	const token =
		gateway.token ??
		(await readKey(join(dataDir, TOKEN_FILE), TOKEN_FORM)) ??
		(await readLocalKey(dataDir));
	return { url, token };
}
