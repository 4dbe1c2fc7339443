/** An agent as `AGENTS.md` defines it. */
export interface AgentDefinition {
	id: string;
	name: string;
	model?: string;
	description: string;
}

export interface ParsedAgents {
	agents: AgentDefinition[];
	warnings: string[];
}

/** The most agents that are read; a file with more is no list of agents. */
const MAX_AGENTS = 200;
const HEADING = /^##[ \t]+(\S[^\n]*?)[ \t]*#*$/;
const FIELD =
	/^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(Model|Description)(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(.*?)[ \t]*$/i;
const FENCE = /^[ \t]*(```|~~~)/;

/** Reads `## <name>` headings with `Model:` and `Description:` lines below. Pure. */
export function parseAgentsFile(text: string): ParsedAgents {
	const agents: AgentDefinition[] = [];
	const warnings: string[] = [];
	let current: AgentDefinition | undefined;
	let inFence = false;
	for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
		if (FENCE.test(line)) inFence = !inFence;
		if (inFence) continue;
		const name = HEADING.exec(line)?.[1];
		if (name !== undefined) {
			current = { id: toId(name), name, description: "" };
			const problem = problemOf(current, agents);
			if (problem) {
				warnings.push(problem);
				current = undefined;
			} else {
				agents.push(current);
			}
			continue;
		}
		const [, field, value] = FIELD.exec(line) ?? [];
		if (!current || !field || !value) continue;
		if (field.toLowerCase() === "description") current.description = value;
		else current.model = value.replace(/^`(.*)`$/, "$1");
	}
	return { agents, warnings };
}

/** A name as clients send it: letters, digits and dashes, whatever the heading holds. */
function toId(name: string): string {
	return name
		.toLowerCase()
		.normalize("NFKD")
		.replace(/[^\p{L}\p{N}]+/gu, "-")
		.replace(/^-+|-+$/g, "")
		.slice(0, 64);
}

function problemOf({ id, name }: AgentDefinition, agents: AgentDefinition[]): string | null {
	if (id === "") return `The heading "## ${name}" has no letters to name an agent by.`;
	if (agents.some((one) => one.id === id)) return `There are two agents "${id}"; the first counts.`;
	if (agents.length >= MAX_AGENTS)
		return `There are more than ${MAX_AGENTS} agents; "${id}" and later ones do not count.`;
	return null;
}
