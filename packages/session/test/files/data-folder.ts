import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tempDir } from "@baton/testkit";
import { onTestFinished } from "vitest";
import type { Collection, Store } from "../../src";
import { type FilesProblem, type FilesStoreOptions, openFilesStore } from "../../src/files";

/** A data folder of its own for a test, and the store on it. */
interface DataFolder {
	dir: string;
	/** Everything reported by the stores opened so far. */
	problems: FilesProblem[];
	/** Closes the store if there is one, opens the folder, and returns its sessions. */
	open(options?: Partial<FilesStoreOptions>): Promise<Collection>;
	close(): Promise<void>;
	path(...names: string[]): string;
	read(...names: string[]): Promise<string>;
	write(name: string, content: string | Buffer): Promise<void>;
	names(...folder: string[]): Promise<string[]>;
}

export async function dataFolder(dir?: string): Promise<DataFolder> {
	const temp = dir === undefined ? await tempDir() : null;
	const root = dir ?? (temp?.path as string);
	let store: Store | null = null;
	const folder: DataFolder = {
		dir: root,
		problems: [],
		async open(options = {}) {
			await folder.close();
			const onProblem = (problem: FilesProblem) => folder.problems.push(problem);
			store = await openFilesStore({ dir: root, onProblem, ...options });
			return store.collection("sessions");
		},
		async close() {
			await store?.close();
			store = null;
		},
		path: (...names) => join(root, "sessions", ...names),
		read: (...names) => readFile(folder.path(...names), "utf8"),
		async write(name, content) {
			await mkdir(dirname(folder.path(name)), { recursive: true });
			await writeFile(folder.path(name), content);
		},
		names: async (...names) => (await readdir(folder.path(...names))).sort(),
	};
	onTestFinished(async () => {
		await folder.close();
		await temp?.remove();
	});
	return folder;
}

/** `[seq, event]` of every event kept. */
export async function events(sessions: Collection, id: string, log = "transcript") {
	const { entries } = await sessions.read(id, log, { limit: 10_000 });
	return entries.map((entry) => [entry.seq, entry.event]);
}
