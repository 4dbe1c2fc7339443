import { CLOSE } from "./close-codes";
import type { Connection } from "./connection";
import type { GatewayLimits } from "./limits";
import type { GatewayTokens } from "./tokens";

/** Every open socket, and the one clock that looks after them all. */
export class Connections {
	readonly #limits: GatewayLimits;
	readonly #tokens: GatewayTokens;
	readonly #all = new Set<Connection>();
	readonly #perAddress = new Map<string, number>();
	readonly #timer: NodeJS.Timeout;
	#checkedTokensAt = 0;

	constructor(limits: GatewayLimits, tokens: GatewayTokens) {
		this.#limits = limits;
		this.#tokens = tokens;
		const { handshakeMs, pingMs, slowMs } = limits;
		const every = Math.max(20, Math.min(1_000, handshakeMs / 4, pingMs / 4, slowMs / 4));
		this.#timer = setInterval(() => this.#look(performance.now()), every);
		this.#timer.unref();
	}

	get all(): Iterable<Connection> {
		return this.#all;
	}

	hasRoom(address: string): boolean {
		return (this.#perAddress.get(address) ?? 0) < this.#limits.socketsPerAddress;
	}

	add(connection: Connection): void {
		const { address } = connection;
		this.#all.add(connection);
		this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1);
	}

	remove(connection: Connection): void {
		if (!this.#all.delete(connection)) return;
		const { address } = connection;
		const left = (this.#perAddress.get(address) ?? 1) - 1;
		if (left > 0) this.#perAddress.set(address, left);
		else this.#perAddress.delete(address);
	}

	stop(): void {
		clearInterval(this.#timer);
	}

	#look(now: number): void {
		const { handshakeMs, pingMs } = this.#limits;
		for (const connection of this.#all) {
			if (!connection.isOpen) continue;
			if (connection.owner === null) {
				if (now - connection.openedAt < handshakeMs) continue;
				connection.close(CLOSE.handshakeTimeout, "It took too long to authenticate.");
				continue;
			}
			const silentMs = now - connection.seenAt;
			connection.checkSlow(now);
			// A paused reader shows no life for a reason that has its own limit.
			if (connection.ws.isPaused || silentMs < pingMs * (connection.pings + 1)) continue;
			if (connection.pings >= 2) connection.ws.terminate();
			else {
				connection.pings++;
				connection.ws.ping();
			}
		}
		if (now - this.#checkedTokensAt < pingMs) return;
		this.#checkedTokensAt = now;
		void this.#checkTokens().catch(() => {});
	}

	/** A token that was changed takes its sockets along. */
	async #checkTokens(): Promise<void> {
		const versions = new Set([...this.#all].flatMap((one) => one.tokenVersion || []));
		for (const version of versions) {
			if (await this.#tokens.isCurrent(version)) continue;
			for (const connection of this.#all) {
				if (connection.tokenVersion !== version) continue;
				connection.close(CLOSE.unauthorized, "The token was changed.");
			}
		}
	}
}
