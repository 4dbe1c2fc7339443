import type { ApiKeys, SessionValue, Turns } from "@baton/agent";
import type { WorkspaceAgents } from "@baton/gateway";
import type { Collection, Store } from "@baton/session";
import type { RelayStore } from "@giselles-ai/browser-tool/relay";
import type { Agents } from "../agents/agents";
import type { Config } from "../config/config";
import type { Log } from "../log/log";
import type { Observation } from "../observe/observation";

/** What doors work with: one of each in a process. */
export interface Parts {
	config: Config;
	/** Who a credential belongs to, for every door. */
	keys: ApiKeys;
	log: Log;
	store: Store;
	sessions: Collection<SessionValue>;
	relay: RelayStore;
	agents: Agents;
	/** The agents that `workspace/AGENTS.md` defines. */
	workspace: WorkspaceAgents;
	turns: Turns;
	/** Puts a span around each request of a door, where traces are on. */
	traced: Observation["traced"];
	/** Keeps a secret that was made or read here out of the log. */
	hide(secret: string): void;
}

/** A way in from outside, with a server of its own. */
export interface Door {
	/** For people, in the banner. */
	readonly name: string;
	/** Where this machine reaches it. */
	readonly url: string;
	/** What a person should know about what is behind it. */
	readonly note?: string;
	/** A line that a person can try; `<key>` in it stands for the caller's key. */
	readonly tryIt?: string;
	/** Takes nothing new from now on; what is under way goes on while turns are drained. */
	stopAccepting(): void;
	/** Waits for answers that are under way, then cuts those that are left. */
	finish(graceMs: number): Promise<void>;
}
