import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AgentFailure } from "../agent";
import type { HomeFile } from "./adapter";

/** The folders of one session's agent. */
export interface Workspace {
	/** Where the agent works: what it reads and writes. */
	work: string;
	/** Where the CLI keeps its settings and its own sessions; out of the agent's way. */
	home: string;
	temp: string;
}

const SAFE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Makes the folders of a session. Session ids become names of folders, so they are checked. */
export async function openWorkspace(
	sandboxRoot: string,
	sessionId: string,
	agent: string,
): Promise<Workspace> {
	if (!SAFE_ID.test(sessionId)) {
		throw new AgentFailure("bad_session_id", "The session's id cannot be the name of a folder.");
	}
	const work = join(sandboxRoot, sessionId);
	const home = join(sandboxRoot, ".homes", agent, sessionId);
	const temp = join(home, "tmp");
	await mkdir(work, { recursive: true, mode: 0o700 });
	await mkdir(temp, { recursive: true, mode: 0o700 });
	return { work, home, temp };
}

/** Writes what the CLI reads at its start. It holds credentials: for the owner only. */
export async function writeHomeFile(home: string, { path, content }: HomeFile): Promise<void> {
	const target = join(home, path);
	await mkdir(dirname(target), { recursive: true, mode: 0o700 });
	const draft = `${target}.new`;
	await writeFile(draft, content, { mode: 0o600 });
	await rename(draft, target);
}
