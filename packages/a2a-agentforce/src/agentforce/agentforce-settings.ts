/** How to reach an agent of a Salesforce org. */
export interface AgentforceSettings {
	/** The org's My Domain, `https://….my.salesforce.com`. */
	serverUrl: string;
	/** Of an external client app that may use the Agent API with client credentials. */
	clientId: string;
	clientSecret: string;
	agentId: string;
	/** Where the Agent API is. Default: Salesforce's. */
	apiUrl?: string;
}

export const AGENT_API_URL = "https://api.salesforce.com";
export const AGENT_API_PATH = "/einstein/ai-agent/v1";

/** How long things may take. */
export interface AgentforceTimes {
	/** A token, the start or the end of a session, feedback. */
	callMs: number;
	/** An answer to a message, and each silence within one. Agentforce gives up after 120 s. */
	answerMs: number;
	/** For a session that is busy with another request. */
	busyMs: number;
	/** The longest wait that a 429 may ask for. */
	rateLimitMs: number;
	/** The pause before a second try, and before the first look at a busy session. */
	pauseMs: number;
	/** How long a refused login is not asked for again. */
	loginPauseMs: number;
}

export const DEFAULT_TIMES: AgentforceTimes = {
	callMs: 30_000,
	answerMs: 130_000,
	busyMs: 130_000,
	rateLimitMs: 30_000,
	pauseMs: 500,
	loginPauseMs: 60_000,
};
