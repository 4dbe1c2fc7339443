import { createAgentKinds } from "../agents/create-agents";
import type { Config } from "../config/config";
import { addressesOf } from "../start/addresses";
import { readServerFile } from "../start/server-file";
import type { Check } from "./check";
import { checkAddress } from "./check-address";
import { checkAgents } from "./check-agents";
import { checkDataFolder } from "./check-data-folder";
import { checkDoors } from "./check-doors";
import { checkKeys } from "./check-keys";
import { checkNode } from "./check-node";
import { checkRedis } from "./check-redis";

/** Looks at everything that a start with this configuration would need. */
export async function examine(config: Config): Promise<Check[]> {
	const found = await readServerFile(config.dataDir);
	const { running, ...server } = await checkAddress(
		"server",
		addressesOf(config).web,
		"baton",
		found?.url,
	);
	return [
		checkNode(process.version),
		settings(config),
		server,
		...(await checkDoors(config, found)),
		await checkDataFolder(config, running),
		await checkRedis(config),
		await checkKeys(config),
		...(await checkAgents(config, createAgentKinds(config))),
	];
}

function settings({ file, warnings }: Config): Check {
	const from = file ? `environment and ${file}` : "environment";
	if (warnings.length === 0) return { name: "settings", status: "ok", detail: from };
	return { name: "settings", status: "warn", detail: warnings.join(" ") };
}
