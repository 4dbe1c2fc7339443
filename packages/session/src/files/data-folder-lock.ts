import { randomBytes } from "node:crypto";
import { link, readdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { BatonError, isBatonError } from "../errors";
import { fileError, hasCode, orNull } from "./file-errors";
import { startOfProcess } from "./process-identity";

const NAME = ".baton.lock";
const TAKEOVER_ATTEMPTS = 250;
const TAKEOVER_PAUSE_MS = 20;
/** No process has this pid. */
const NOBODY = 0x7fffffff;
/** A file that cannot be read yet may be one that another starter is just writing. */
const UNFINISHED_MS = 60_000;

const ownerSchema = z.object({
	/** Names this one lock, so that a takeover replaces the lock it judged and no other. */
	id: z.string().regex(/^[0-9a-f]{1,32}$/),
	pid: z.int().positive(),
	start: z.string(),
});
type Owner = z.infer<typeof ownerSchema>;

/** Locks this process holds, by id: where the start time is unknown, they tell our pid from an old one. */
const shared = globalThis as { [key: symbol]: Set<string> | undefined };
const registry = Symbol.for("baton.files.locks");
const held = shared[registry] ?? new Set<string>();
shared[registry] = held;

/** Makes this process the one owner of a data folder. Resolves to the function that gives it up. */
export async function lockDataFolder(dir: string): Promise<() => Promise<void>> {
	const path = join(dir, NAME);
	const id = randomBytes(6).toString("hex");
	const owner: Owner = { id, pid: process.pid, start: (await startOfProcess(process.pid)) ?? "" };
	held.add(id);
	try {
		await claim(path, owner);
	} catch (error) {
		held.delete(id);
		throw fileError(error, path);
	}
	await removeLeftovers(dir);
	return async () => {
		held.delete(id);
		await orNull(unlink(path));
	};
}

/**
 * A lock appears whole, by `link`, and only if there is none. The lock of a dead process is replaced
 * under a second lock, named after the one it replaces and claimed in the same way: its holder alone
 * may replace that lock, and looks again whether it is still there, so no live lock is ever replaced.
 */
async function claim(path: string, owner: Owner): Promise<void> {
	const temp = `${path}.${owner.id}.tmp`;
	await writeFile(temp, JSON.stringify(owner), { flag: "wx", mode: 0o600 });
	try {
		for (let attempt = 1; ; attempt++) {
			if (await linked(temp, path)) return;
			const found = await readOwner(path);
			if (!found) continue;
			if (await isAlive(found)) throw locked(found, path);
			const takeover = `${path}.${found.id}`;
			try {
				await claim(takeover, owner);
			} catch (error) {
				// Another starter is replacing the dead lock: see who it was, and name that one.
				if (!isBatonError(error, "locked") || attempt === TAKEOVER_ATTEMPTS) throw error;
				await sleep(TAKEOVER_PAUSE_MS);
				continue;
			}
			try {
				if ((await readOwner(path))?.id === found.id) {
					await rename(temp, path);
					return;
				}
			} finally {
				await orNull(unlink(takeover));
			}
		}
	} finally {
		await orNull(unlink(temp));
	}
}

async function linked(temp: string, path: string): Promise<boolean> {
	try {
		await link(temp, path);
		return true;
	} catch (error) {
		if (hasCode(error, "EEXIST")) return false;
		throw error;
	}
}

async function readOwner(path: string): Promise<Owner | null> {
	const text = await orNull(readFile(path, "utf8"));
	if (text === null) return null;
	try {
		return ownerSchema.parse(JSON.parse(text));
	} catch {
		// Emptied by a power failure, or not ours: nobody's, and named by its inode.
		const found = await orNull(stat(path));
		return found && { id: found.ino.toString(16), pid: NOBODY, start: "" };
	}
}

async function isAlive({ id, pid, start }: Owner): Promise<boolean> {
	const running = await startOfProcess(pid);
	if (running === null) return false;
	if (running !== "") return running === start;
	return pid !== process.pid || held.has(id);
}

/** What starters that were killed in the middle of a claim left behind. */
async function removeLeftovers(dir: string): Promise<void> {
	for (const name of await readdir(dir)) {
		if (!name.startsWith(`${NAME}.`)) continue;
		const path = join(dir, name);
		const owner = await readOwner(path);
		if (!owner || (await isAlive(owner))) continue;
		const file = await orNull(stat(path));
		const unfinished = owner.pid === NOBODY && Date.now() - (file?.mtimeMs ?? 0) < UNFINISHED_MS;
		if (!unfinished) await orNull(unlink(path));
	}
}

function locked({ pid }: Owner, path: string): BatonError {
	const who = pid === process.pid ? "this process" : `process ${pid}`;
	return new BatonError(
		"locked",
		`The data folder is in use by ${who} (${path}). Use that process's doors, stop it (kill ${pid}), or choose another folder.`,
	);
}
