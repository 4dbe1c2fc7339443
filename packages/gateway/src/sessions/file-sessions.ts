import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Session, type SessionMeta } from "./session";
import type { SessionPage, SessionSource } from "./session-source";

const META = /^([0-9a-f-]{36})\.meta\.json$/;

const sessionMeta = z.looseObject({
	key: z.uuid(),
	agentId: z.string(),
	createdAt: z.number(),
	updatedAt: z.number(),
	label: z.string().optional(),
});

/**
 * Sessions as plain files, `<key>.meta.json` beside `<key>.jsonl`: what the core's files store reads
 * and writes too. For folders that no running Baton owns; `baton sessions export` writes them.
 */
export class FileSessions implements SessionSource {
	readonly #dir: string;

	constructor(sessionsDir: string) {
		this.#dir = sessionsDir;
	}

	async create(key: string, agentId: string): Promise<Session> {
		const now = Date.now();
		return this.write({ key, agentId, createdAt: now, updatedAt: now });
	}

	/**
	 * Writes a session: what is known about it, then its transcript, each whole or not at all. Without
	 * `lines` an existing transcript stays.
	 */
	async write(meta: SessionMeta, lines?: AsyncIterable<readonly string[]>): Promise<Session> {
		await mkdir(this.#dir, { recursive: true, mode: 0o700 });
		const session = new Session(meta, this.#dir);
		await replaceFile(this.#metaPath(meta.key), [[JSON.stringify(meta, null, 2)]]);
		if (lines) await replaceFile(session.transcriptPath, lines);
		else await (await open(session.transcriptPath, "a", 0o600)).close();
		return session;
	}

	async get(key: string): Promise<Session | null> {
		const meta = await this.#readMeta(key);
		return meta && new Session(meta, this.#dir);
	}

	async page({ limit, cursor }: { limit: number; cursor?: string }): Promise<SessionPage> {
		const names = await readdir(this.#dir).catch((error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT") return [];
			throw error;
		});
		const keys = names.flatMap((name) => META.exec(name)?.[1] ?? []);
		const metas = await Promise.all(keys.map((key) => this.#readMeta(key)));
		const sorted = metas
			.filter((meta) => meta !== null)
			.sort((a, b) => b.createdAt - a.createdAt || (a.key < b.key ? 1 : -1));
		const from = cursor === undefined ? 0 : sorted.findIndex(({ key }) => key === cursor) + 1;
		const sessions = sorted.slice(from, from + limit);
		const isLast = from + limit >= sorted.length;
		return { sessions, cursor: isLast ? null : (sessions.at(-1)?.key ?? null) };
	}

	/** Null for a file that is missing, or that is not what it should be. */
	async #readMeta(key: string): Promise<SessionMeta | null> {
		try {
			const value: unknown = JSON.parse(await readFile(this.#metaPath(key), "utf8"));
			const meta = sessionMeta.safeParse(value).data;
			return meta?.key === key ? meta : null;
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (error instanceof SyntaxError || code === "ENOENT") return null;
			throw error;
		}
	}

	#metaPath(key: string): string {
		return join(this.#dir, `${key}.meta.json`);
	}
}

/** The file appears whole, readable for its owner alone. */
async function replaceFile(
	path: string,
	lines: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): Promise<void> {
	const draft = `${path}.new`;
	const file = await open(draft, "w", 0o600);
	try {
		for await (const page of lines) await file.write(page.map((line) => `${line}\n`).join(""));
	} finally {
		await file.close();
	}
	await rename(draft, path);
}
