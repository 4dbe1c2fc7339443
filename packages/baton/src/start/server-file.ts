import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const serverSchema = z.object({
	pid: z.int().positive(),
	/** Of the web's port. */
	url: z.url(),
	gateway: z.url().optional(),
	a2a: z.url().optional(),
});

/** Where a server of this data folder is. */
export type RunningServer = z.infer<typeof serverSchema>;

function pathIn(dataDir: string): string {
	return join(dataDir, "server.json");
}

/** Says in the data folder where the server is, for commands beside it. Returns how to take it back. */
export async function writeServerFile(
	dataDir: string,
	server: RunningServer,
): Promise<() => Promise<void>> {
	await mkdir(dataDir, { recursive: true, mode: 0o700 });
	await writeFile(pathIn(dataDir), `${JSON.stringify(server)}\n`, { mode: 0o600 });
	return async () => {
		// On Redis another server may have the folder too, and have said where it is.
		const found = await readServerFile(dataDir);
		if (found?.pid === server.pid) await rm(pathIn(dataDir), { force: true });
	};
}

/** Where the server said that it is. Null: none did, or its process is gone. */
export async function readServerFile(dataDir: string): Promise<RunningServer | null> {
	const text = await readFile(pathIn(dataDir), "utf8").catch(() => "null");
	const server = serverSchema.safeParse(parseJson(text)).data;
	return server && isAlive(server.pid) ? server : null;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// A process of another user is there, though we may not touch it.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
