import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../start/start-error";

/** Whose sessions they are while nobody has set keys. */
export const LOCAL_OWNER = "local";

const LOCAL_KEY_FILE = "api-key";
const KEY_FORM = /^[A-Za-z0-9_-]{43}$/;

interface KeptKey {
	key: string;
	path: string;
	/** True when it was made just now. */
	made: boolean;
}

/** The key of this machine's owner. */
export function openLocalKey(dataDir: string): Promise<KeptKey> {
	return openKeptKey(dataDir, LOCAL_KEY_FILE, KEY_FORM);
}

/** The same where it was made before; null where it was not. */
export function readLocalKey(dataDir: string): Promise<string | null> {
	return readKey(join(dataDir, LOCAL_KEY_FILE), KEY_FORM);
}

/** A key that is made once, 256 bits, and kept where only its owner can read it. */
export async function openKeptKey(dataDir: string, name: string, form: RegExp): Promise<KeptKey> {
	const path = join(dataDir, name);
	const kept = await readKey(path, form);
	if (kept !== null) return { key: kept, path, made: false };
	await mkdir(dataDir, { recursive: true, mode: 0o700 });
	const made = randomBytes(32).toString("base64url");
	if (await writeOnce(path, made)) return { key: made, path, made: true };
	// Another process made it at the same moment, on a shared folder with Redis: there is one key.
	return { key: (await readKey(path, form)) ?? made, path, made: false };
}

/** A kept key, or null when its file is not there. */
export async function readKey(path: string, form: RegExp): Promise<string | null> {
	let key: string;
	try {
		key = (await readFile(path, "utf8")).trim();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw new StartError(`The key in ${path} cannot be read: ${(error as Error).message}`);
	}
	if (!form.test(key)) {
		throw new StartError(
			`${path} does not hold a key. Remove it, and the next start makes a new one.`,
		);
	}
	// A copy or a backup may have opened it to others.
	if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
	return key;
}

/** The file appears whole and private, or not at all. */
async function writeOnce(path: string, key: string): Promise<boolean> {
	const draft = `${path}.${process.pid}.new`;
	try {
		await writeFile(draft, `${key}\n`, { mode: 0o600 });
		await link(draft, path);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw new StartError(`The key cannot be kept in ${path}: ${(error as Error).message}`);
	} finally {
		await rm(draft, { force: true });
	}
}
