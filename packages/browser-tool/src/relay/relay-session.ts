import { randomUUID } from "node:crypto";
import { type Collection, isBatonError } from "@baton/session";
import { RelayError } from "./relay-error";
import { createToken, hashToken, tokenMatches } from "./relay-token";

/**
 * What the holder of a token may do. A page listens, claims and answers; an agent asks. Neither may
 * do the other's part: an agent that reads its own environment cannot say the person's yes, and a
 * page cannot make another page act.
 */
export type RelayRole = "page" | "agent";

/** The stored part of a relay session: credentials for one agent session. */
export type RelaySessionValue = {
	agentSessionId: string;
	runId: string | null;
	role: RelayRole;
	tokenHash: string;
};

/** Someone who showed the right token. */
export interface Relay {
	readonly sessionId: string;
	readonly agentSessionId: string;
	readonly runId: string | null;
	readonly role: RelayRole;
}

export interface NewRelaySession {
	agentSessionId: string;
	/** The turn that the holder's requests belong to. */
	runId?: string;
	/** Default `page`. */
	role?: RelayRole;
}

export interface RelayCredentials {
	sessionId: string;
	token: string;
	/** Unix ms. Every use puts it off. */
	expiresAt: number;
}

/** How often in its life a session that is in use is renewed: reading is not a write. */
const RENEWALS_PER_LIFE = 20;

/** Relay sessions in a store. A token exists in what `create` returns, and nowhere else. */
export class RelaySessions {
	readonly #relays: Collection<RelaySessionValue>;
	readonly #ttlMs: number;

	constructor(relays: Collection<RelaySessionValue>, ttlMs: number) {
		this.#relays = relays;
		this.#ttlMs = ttlMs;
	}

	async create({
		agentSessionId,
		runId,
		role = "page",
	}: NewRelaySession): Promise<RelayCredentials> {
		const sessionId = randomUUID();
		const token = createToken();
		const value = { agentSessionId, runId: runId ?? null, role, tokenHash: hashToken(token) };
		await this.#relays.create(sessionId, value, { ttlMs: this.#ttlMs });
		return { sessionId, token, expiresAt: Date.now() + this.#ttlMs };
	}

	/** Who this is. An unknown session and a wrong token look the same from outside. */
	async authenticate(sessionId: string, token: string, role: RelayRole): Promise<Relay> {
		const record = await this.#relays.get(sessionId).catch((error: unknown) => {
			if (isBatonError(error, "invalid")) return null;
			throw error;
		});
		if (!tokenMatches(token, record?.value.tokenHash ?? null) || !record) throw unauthorized();
		const { agentSessionId, runId } = record.value;
		if (record.value.role !== role) {
			throw new RelayError("UNAUTHORIZED", `This token is not one of ${ARTICLE[role]}.`);
		}
		if (Date.now() - record.updatedAt > this.#ttlMs / RENEWALS_PER_LIFE) {
			await this.renew(sessionId);
		}
		return { sessionId, agentSessionId, runId, role };
	}

	/** Puts the end off by a whole life. Rejects when the session has ended or was revoked. */
	async renew(sessionId: string): Promise<void> {
		await this.#relays
			.update(sessionId, (value) => value)
			.catch((error: unknown) => {
				throw isBatonError(error, "not_found") ? unauthorized() : error;
			});
	}

	async revoke(sessionId: string): Promise<void> {
		await this.#relays.delete(sessionId);
	}
}

const ARTICLE: Record<RelayRole, string> = { page: "a page", agent: "an agent" };

function unauthorized(): RelayError {
	return new RelayError(
		"UNAUTHORIZED",
		"No relay session has this id and token; it may have expired. Attach to the session for new ones.",
	);
}
