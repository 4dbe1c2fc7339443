/** An agent that people can talk to. */
export interface AgentInfo {
	id: string;
	name: string;
	/** What it runs on: `anthropic/claude-opus-4-6`, `gemini`, `demo`. */
	model: string;
	description: string;
	/** What serves it now: another agent, where its own lacks its key. */
	servedBy?: string;
	/** Why that is so, in words. */
	notice?: string;
}

export interface AgentList {
	agents: AgentInfo[];
	/** What is wrong with the file that defines them. */
	warnings: string[];
}

/** Which agents there are. */
export interface AgentDirectory {
	list(): Promise<AgentList>;
	/** Looks again at what defines the agents: a change counts from the next message on. */
	refresh(): Promise<void>;
	/** Whether an agent that is not in the list can be had by this name: `gemini`, `demo`. */
	knows(name: string): boolean;
}
