import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config";
import { LOCAL_OWNER } from "../keys/local-key";
import type { Check } from "./check";

/** Who may call: the owners, never their keys. */
export async function checkKeys({ apiKeys, dataDir }: Config): Promise<Check> {
	const name = "keys";
	if (apiKeys) {
		const owners = apiKeys.owners.join(", ");
		return { name, status: "ok", detail: `BATON_API_KEYS is set, for ${owners}` };
	}
	const path = join(dataDir, "api-key");
	const found = await stat(path).catch(() => null);
	const detail = found
		? `one for ${LOCAL_OWNER}, in ${path}`
		: `one for ${LOCAL_OWNER} will be made in ${path}`;
	return { name, status: "ok", detail };
}
