import type { RawData } from "ws";
import { ConnectionChats } from "../chat/connection-chats";
import type { SharedFrames } from "../chat/session-frames";
import type { AuthLimiter } from "./auth-limiter";
import { CLOSE } from "./close-codes";
import type { Connection } from "./connection";
import { answer, type Request, readRequest } from "./dispatch";
import type { GatewayOptions } from "./gateway-options";
import { authenticate } from "./handshake";
import { registry } from "./methods/registry";
import type { MethodContext } from "./methods/types";
import type { Owners } from "./owner-parts";
import { RPC, RpcError, toErrorBody } from "./rpc-error";

/** Calls of one socket that take long and go on beside the others. */
const MAX_ASIDE = 32;

/** What all sockets share. */
interface SocketParts {
	options: GatewayOptions;
	owners: Owners;
	limiter: AuthLimiter;
	shared: SharedFrames;
	isDraining(): boolean;
	/** Aborted when the gateway is gone. */
	stopping: AbortSignal;
}

/** What one socket says, in order: first who it is, then requests, one after the other. */
export class SocketHandler {
	readonly #connection: Connection;
	readonly #parts: SocketParts;
	/** Made when it has authenticated: a socket that has not weighs little. */
	#context: Omit<MethodContext, "afterAnswer"> | null = null;
	#gone: AbortController | null = null;
	#queue: Promise<void> = Promise.resolve();
	#closed = false;
	#aside = 0;

	constructor(connection: Connection, parts: SocketParts) {
		this.#connection = connection;
		this.#parts = parts;
	}

	/** Takes a frame. What comes while others wait waits too. */
	take(data: RawData, isBinary: boolean): void {
		const connection = this.#connection;
		if (this.#closed || !connection.isOpen) return;
		connection.requestCame();
		this.#queue = this.#queue
			.then(() => this.#handle(data, isBinary))
			.catch((error: unknown) => this.#failed(error))
			.finally(() => connection.requestDone());
	}

	close(): void {
		this.#closed = true;
		this.#gone?.abort();
		this.#context?.chats.close();
		this.#connection.gone();
	}

	async #handle(data: RawData, isBinary: boolean): Promise<void> {
		const connection = this.#connection;
		// Who does not read its answers gets no more of them.
		await connection.drained();
		if (this.#closed || !connection.isOpen) return;
		if (connection.owner === null) {
			const { tokens } = this.#parts.options;
			const ok = await authenticate(connection, textOf(data), { ...this.#parts, tokens });
			if (!ok) this.#closed = true;
			return;
		}
		let id: string | number | null = null;
		try {
			if (isBinary) {
				throw new RpcError(RPC.invalidRequest, "invalid_request", "Frames are texts of JSON.");
			}
			const request = readRequest(textOf(data));
			id = request.id;
			await this.#answer(request, connection.owner);
		} catch (error) {
			connection.send({ id, error: toErrorBody(error, (cause) => this.#failed(cause)) });
		}
	}

	async #answer(request: Request, owner: string): Promise<void> {
		const isAside = registry.find(request.method)?.aside === true;
		if (isAside && this.#aside >= MAX_ASIDE) throw tooMany();
		const done = answer(request, this.#contextOf(owner), (frame) => this.#connection.send(frame));
		if (!isAside) return done;
		this.#aside++;
		void done.finally(() => this.#aside--);
	}

	#contextOf(owner: string): Omit<MethodContext, "afterAnswer"> {
		if (this.#context) return this.#context;
		const { options, owners, shared, isDraining, stopping } = this.#parts;
		const { turns, sessions, agents, log, version } = options;
		const connection = this.#connection;
		this.#gone = new AbortController();
		const sendEvent = (event: string, data: object) => connection.send({ event, data });
		this.#context = {
			owner,
			...owners.get(owner),
			sendEvent,
			turns,
			sessions,
			agents,
			chats: new ConnectionChats({
				sessions,
				shared,
				namesAborted: connection.namesAborted,
				sendFrames: (frames, isWanted) => connection.sendFrames(frames, isWanted),
				maxResetBytes: connection.limits.answerBytes,
				sendEvent,
				onError: (error) => this.#failed(error),
			}),
			limits: connection.limits,
			signal: AbortSignal.any([this.#gone.signal, stopping]),
			isDraining,
			stopping,
			log,
			version,
			methods: registry.names,
		};
		return this.#context;
	}

	/** Something of ours broke: the client comes back and goes on from its cursor. */
	#failed(error: unknown): void {
		if (this.#parts.stopping.aborted || this.#closed) return;
		this.#parts.options.log.warn({ error }, "A socket of the gateway failed.");
		this.#connection.close(CLOSE.restart, "The server failed; come back.");
	}
}

function tooMany(): RpcError {
	const message = `At most ${MAX_ASIDE} calls that wait or search at once.`;
	return new RpcError(RPC.tooMany, "too_many", message, true);
}

function textOf(data: RawData): string {
	return Array.isArray(data)
		? Buffer.concat(data).toString()
		: Buffer.from(data as Buffer).toString();
}
