import { CoreSessions } from "../sessions/core-sessions";
import { SessionManager } from "../sessions/manager";
import type { GatewayOptions } from "./gateway-options";
import type { ActiveRun } from "./methods/active-run";

/** What all sockets of one owner share. */
interface OwnerParts {
	sessionManager: SessionManager;
	activeRuns: Map<string, ActiveRun>;
}

/** Sessions that name no owner, such as files that another program wrote, belong to this one. */
const LOCAL_OWNER = "local";

/** The parts of each owner, made when its first socket comes. There are as many as there are keys. */
export class Owners {
	readonly #options: GatewayOptions & { sessionsDir: string };
	readonly #parts = new Map<string, OwnerParts>();

	constructor(options: GatewayOptions & { sessionsDir: string }) {
		this.#options = options;
	}

	get(owner: string): OwnerParts {
		const known = this.#parts.get(owner);
		if (known) return known;
		const { sessions, turns, sessionsDir } = this.#options;
		const ownsUnowned = owner === LOCAL_OWNER;
		const source = new CoreSessions({ sessions, turns, owner, ownsUnowned, sessionsDir });
		const parts = {
			sessionManager: new SessionManager(sessionsDir, source),
			activeRuns: new Map<string, ActiveRun>(),
		};
		this.#parts.set(owner, parts);
		return parts;
	}
}
