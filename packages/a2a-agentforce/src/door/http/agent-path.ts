/** Where an agent is served: its name below `/agents/`, as an address spells it. */
export function agentPath(name: string): string {
	if (name.split("/").some((segment) => ["", ".", ".."].includes(segment))) {
		throw new Error(`The agent's name ${JSON.stringify(name)} cannot be part of an address.`);
	}
	return `/agents/${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}`;
}

/** A path as a pattern for Express that stands for itself alone: models have names like `llama3.1:8b`. */
export function literalPattern(path: string): string {
	return path.replace(/[\\{}()[\]+?!:*]/g, "\\$&");
}
