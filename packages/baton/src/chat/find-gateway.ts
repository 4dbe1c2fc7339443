import { join } from "node:path";
import type { Config } from "../config/config";
import { urlOf } from "../http/listen";
import { TOKEN_FILE, TOKEN_FORM } from "../keys/gateway-tokens";
import { KEY_FORM, readKey } from "../keys/local-key";

interface GatewayAddress {
	url: string;
	/** Null when none is set and none was made on this machine. */
	token: string | null;
}

/** Where the gateway of this configuration is, and the token of this machine for it. */
export async function findGateway({ gateway, dataDir }: Config): Promise<GatewayAddress> {
	const url = urlOf(gateway.host, gateway.port).replace(/^http/, "ws");
	const token =
		gateway.token ??
		(await readKey(join(dataDir, TOKEN_FILE), TOKEN_FORM)) ??
		(await readKey(join(dataDir, "api-key"), KEY_FORM));
	return { url, token };
}
