import { type SessionValue, TRANSCRIPT, type Turns } from "@baton/agent";
import type { Collection, Json } from "@baton/session";
import type { Transcript } from "./file-transcript";
import { listOwned } from "./list-owned";
import { Session } from "./session";
import { metaOf, type Recorded } from "./session-meta";
import type { SessionPage, SessionSource } from "./session-source";
import { toTranscriptEvent } from "./transcript";

interface CoreSessionsOptions {
	sessions: Collection<SessionValue>;
	turns: Turns;
	/** Whose sessions these are. */
	owner: string;
	/** Whether sessions that name no owner, such as files of other programs, are this owner's. */
	ownsUnowned: boolean;
	sessionsDir: string;
}

/** An owner's sessions in the session core: those of every door, on files or on Redis. */
export class CoreSessions implements SessionSource {
	readonly #options: CoreSessionsOptions;

	constructor(options: CoreSessionsOptions) {
		this.#options = options;
	}

	async create(key: string, agentId: string): Promise<Session> {
		const { turns, owner } = this.#options;
		const value = await turns.create({ id: key, agentId, owner, door: "gateway" });
		return this.#session({ id: key, value, ...value });
	}

	/** Someone else's session does not exist. */
	async get(key: string): Promise<Session | null> {
		const { sessions, owner, ownsUnowned } = this.#options;
		const record = await sessions.get(key);
		if (!record) return null;
		const itsOwner = record.value.owner ?? (ownsUnowned ? owner : null);
		return itsOwner === owner ? this.#session(record) : null;
	}

	async page(options: { limit: number; cursor?: string }): Promise<SessionPage> {
		const { sessions, owner, ownsUnowned } = this.#options;
		const groups = ownsUnowned ? [owner, ""] : [owner];
		const { records, cursor } = await listOwned(sessions, groups, options);
		return { sessions: records.map(metaOf), cursor };
	}

	#session(record: Recorded): Session {
		const { sessions, sessionsDir } = this.#options;
		return new Session(metaOf(record), sessionsDir, coreTranscript(sessions, record.id));
	}
}

/** Reads are of the whole transcript, as far as one slice goes; doors page through longer ones. */
function coreTranscript(sessions: Collection<SessionValue>, key: string): Transcript {
	return {
		async append(event) {
			await sessions.append(key, TRANSCRIPT, [{ ...event } as Json]);
		},
		async read() {
			const events = [];
			let after = 0;
			for (;;) {
				const { entries } = await sessions.read(key, TRANSCRIPT, { after });
				for (const { event } of entries) events.push(toTranscriptEvent(event) ?? []);
				const last = entries.at(-1)?.seq;
				if (last === undefined) return events.flat();
				after = last;
			}
		},
	};
}
