import { open } from "node:fs/promises";
import { DEFAULT_AGENT } from "../sessions/session-source";
import type { AgentDirectory, AgentInfo, AgentList } from "./agent-directory";
import { type AgentDefinition, parseAgentsFile } from "./parse-agents-file";

const MAX_BYTES = 1024 * 1024;

/** What serves an agent's model: itself, or another in its place. */
export interface Serving {
	servedBy: string;
	notice?: string;
}

export interface WorkspaceOptions {
	/** `workspace/AGENTS.md` of the data folder. It need not exist. */
	file: string;
	/** The model of an agent that names none, and of the default agent. */
	defaultModel: string;
	/** Null when nothing has this name. */
	serving(model: string): Serving | null;
	/** Why nothing has a name, in words. */
	explainUnserved(model: string): string;
}

interface Snapshot {
	agents: AgentDefinition[];
	warnings: string[];
}

/** The agents of a workspace: those of its `AGENTS.md`, and the default one at the least. */
export class WorkspaceAgents implements AgentDirectory {
	readonly #options: WorkspaceOptions;
	#snapshot: Snapshot = withDefault({ agents: [], warnings: [] });

	private constructor(options: WorkspaceOptions) {
		this.#options = options;
	}

	/** Reads the file before it returns: a turn that is recovered at once needs its agent's model. */
	static async open(options: WorkspaceOptions): Promise<WorkspaceAgents> {
		const workspace = new WorkspaceAgents(options);
		await workspace.refresh();
		return workspace;
	}

	async refresh(): Promise<void> {
		this.#snapshot = withDefault(await readAgentsFile(this.#options.file));
	}

	/** The model of an agent, as of the last look at the file. */
	modelOf(id: string): string | null {
		const agent = this.#snapshot.agents.find((one) => one.id === id);
		return agent ? (agent.model ?? this.#options.defaultModel) : null;
	}

	knows(name: string): boolean {
		return this.#options.serving(name) !== null;
	}

	async list(): Promise<AgentList> {
		await this.refresh();
		const { agents, warnings } = this.#snapshot;
		const { serving, explainUnserved, defaultModel } = this.#options;
		const unknown: string[] = [];
		const infos = agents.map(({ id, name, model = defaultModel, description }): AgentInfo => {
			const served = serving(model);
			if (served) return { id, name, model, description, ...served };
			const notice = `It cannot serve. ${explainUnserved(model)}`;
			unknown.push(`Agent "${id}" cannot serve. ${explainUnserved(model)}`);
			return { id, name, model, description, notice };
		});
		return { agents: infos, warnings: [...warnings, ...unknown] };
	}
}

function withDefault({ agents, warnings }: Snapshot): Snapshot {
	if (agents.length > 0) return { agents, warnings };
	const description = "The default agent.";
	return { agents: [{ id: DEFAULT_AGENT, name: DEFAULT_AGENT, description }], warnings };
}

async function readAgentsFile(file: string): Promise<Snapshot> {
	const text = await readBounded(file).catch((error: NodeJS.ErrnoException) => error);
	if (typeof text === "string") {
		const parsed = parseAgentsFile(text);
		if (parsed.agents.length > 0) return parsed;
		const reason = `${file} has no "## <name>" heading that defines an agent.`;
		return { agents: [], warnings: [...parsed.warnings, reason] };
	}
	if (text.code === "ENOENT") return { agents: [], warnings: [] };
	return { agents: [], warnings: [`${file} cannot be read: ${text.message}`] };
}

async function readBounded(path: string): Promise<string> {
	const file = await open(path);
	try {
		const { size } = await file.stat();
		if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
		return await file.readFile("utf8");
	} finally {
		await file.close();
	}
}
