import { ApiKeys } from "@baton/agent";
import type { Config } from "../config/config";
import { loadConfig } from "../config/load-config";
import type { Door } from "../doors/door";
import { LOCAL_OWNER, openLocalKey } from "../keys/local-key";
import { createLog } from "../log/create-log";
import { Scrubber } from "../log/scrubber";
import { banner } from "../start/banner";
import { writeServerFile } from "../start/server-file";
import { startBaton } from "../start/start-baton";
import { commandName } from "./command-name";
import { EXIT } from "./exit-codes";
import type { Options } from "./options";
import { exitOnCrash, waitForSignal } from "./signals";

/** How long a crash may take to release leases and the data folder. */
const CRASH_MS = 2_000;

/** Starts the server, says where it is, and stops it when asked to. */
export async function startCommand({ env, switches }: Options, home: string): Promise<number> {
	const config = await loadConfig(
		switches.has("dev") ? { BATON_LOG_LEVEL: "debug", ...env } : env,
		home,
	);
	const scrubber = new Scrubber(config.secrets);
	const log = createLog({ level: config.logLevel, scrubber });
	const signal = waitForSignal();
	const { keys, key } = await openKeys(config);
	if (key) scrubber.add([key]);
	const baton = await startBaton(config, keys, log, (secret) => scrubber.add([secret]));
	const forget = await writeServerFile(config.dataDir, {
		pid: process.pid,
		url: baton.url,
		...urlsOf(baton.doors),
	});
	exitOnCrash(log, CRASH_MS, async () => {
		await Promise.all([forget(), baton.stop(0)]);
	});
	const command = commandName(process.argv[1] ?? "", process.cwd());
	const colours = process.stdout.isTTY;
	const readyMs = performance.now();
	process.stdout.write(banner({ config, home, baton, command, key, readyMs, colours }));
	log.info({ signal: await signal }, "Stopping.");
	await Promise.all([baton.stop(config.stopMs), forget()]);
	log.info({}, "Stopped.");
	return EXIT.ok;
}

function urlsOf(doors: readonly Door[]): { gateway?: string; a2a?: string } {
	const url = (name: string) => doors.find((door) => door.name === name)?.url;
	const [gateway, a2a] = [url("Gateway"), url("A2A")];
	return { ...(gateway && { gateway }), ...(a2a && { a2a }) };
}

/** The keys that are set, or the one of this machine. */
async function openKeys({ apiKeys, dataDir }: Config): Promise<{ keys: ApiKeys; key?: string }> {
	if (apiKeys) return { keys: apiKeys };
	const { key } = await openLocalKey(dataDir);
	return { keys: ApiKeys.parse(`${LOCAL_OWNER}:${key}`), key };
}
