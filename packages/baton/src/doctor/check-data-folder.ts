import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isBatonError, openStore } from "@baton/session";
import type { Config } from "../config/config";
import type { Check } from "./check";

/** Whether the data folder can be used, and by whom it is in use. Makes no folder. */
export async function checkDataFolder(
	{ dataDir, redis }: Config,
	running: boolean,
): Promise<Check> {
	const name = "data folder";
	if (!(await exists(dataDir))) {
		const parent = await nearestFolder(dirname(dataDir));
		return (await isWritable(parent))
			? { name, status: "ok", detail: `${dataDir} will be made at the first start` }
			: { name, status: "fail", detail: `${dataDir} cannot be made: ${parent} is not writable` };
	}
	if (!(await isWritable(dataDir))) {
		return { name, status: "fail", detail: `${dataDir} is not writable for this user` };
	}
	if (redis) return { name, status: "ok", detail: `${dataDir} is writable; sessions are in Redis` };
	try {
		await (await openStore({ driver: "files", dir: dataDir, onProblem() {} })).close();
		return { name, status: "ok", detail: `${dataDir} is writable and not in use` };
	} catch (error) {
		if (!isBatonError(error)) throw error;
		if (error.code !== "locked") return { name, status: "fail", detail: error.message };
		const pid = /process (\d+)/.exec(error.message)?.[1];
		const detail = `${dataDir} is in use by process ${pid ?? "unknown"}`;
		return running
			? { name, status: "ok", detail }
			: { name, status: "fail", detail: `${detail}, which does not answer at this port` };
	}
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		() => false,
	);
}

async function isWritable(path: string): Promise<boolean> {
	return access(path, constants.W_OK | constants.X_OK).then(
		() => true,
		() => false,
	);
}

async function nearestFolder(path: string): Promise<string> {
	return (await exists(path)) || path === dirname(path) ? path : nearestFolder(dirname(path));
}
