import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type LaneSettings, TcpLane } from "./tcp-lane";

export interface TcpProxy {
	readonly port: number;
	/** Cuts every connection, with the bytes that still wait here. New ones are welcome. */
	dropConnections(): void;
	/** From now on replies wait here: the server has done the work, the client does not learn it. */
	holdReplies(): void;
	releaseReplies(): void;
	/**
	 * Loses one reply: the next request (that `matches` accepts, given the bytes of a chunk) reaches
	 * the server, its reply is swallowed, and its connection is cut. Resolves when the server has
	 * executed everything it got on that connection.
	 */
	dropNextReply(matches?: (request: Buffer) => boolean): Promise<void>;
	/** From now on requests wait here, and the server gets nothing. */
	pauseUpstream(): void;
	resumeUpstream(): void;
	/** Replies from now on come this much later. */
	delay(ms: number): void;
	stop(): Promise<void>;
}

interface Connection {
	client: Socket;
	server: Socket;
	requests: TcpLane;
	replies: TcpLane;
}

interface ReplyTrap {
	matches: (request: Buffer) => boolean;
	sprung: () => void;
}

/** A proxy on loopback that can lose, hold and delay what passes. */
export async function startTcpProxy({ targetPort }: { targetPort: number }): Promise<TcpProxy> {
	const requests: LaneSettings = { held: false, delayMs: 0 };
	const replies: LaneSettings = { held: false, delayMs: 0 };
	const connections = new Set<Connection>();
	const traps: ReplyTrap[] = [];

	const listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
		const server = connect({
			port: targetPort,
			host: "127.0.0.1",
			noDelay: true,
			allowHalfOpen: true,
		});
		const connection: Connection = {
			client,
			server,
			requests: new TcpLane(server, requests),
			replies: new TcpLane(client, replies),
		};
		connections.add(connection);
		carry(connection, traps, () => connections.delete(connection));
	});
	listener.listen(0, "127.0.0.1");
	await once(listener, "listening");

	const dropConnections = () => {
		for (const { client, server } of connections) {
			client.destroy();
			server.destroy();
		}
	};
	const flush = (lane: "requests" | "replies") => {
		for (const connection of connections) connection[lane].flush();
	};
	return {
		port: (listener.address() as AddressInfo).port,
		dropConnections,
		holdReplies() {
			replies.held = true;
		},
		releaseReplies() {
			replies.held = false;
			flush("replies");
		},
		dropNextReply(matches = () => true) {
			return new Promise((sprung) => traps.push({ matches, sprung }));
		},
		pauseUpstream() {
			requests.held = true;
		},
		resumeUpstream() {
			requests.held = false;
			flush("requests");
		},
		delay(ms) {
			replies.delayMs = ms;
		},
		stop() {
			return new Promise((resolve) => {
				listener.close(() => resolve());
				dropConnections();
			});
		},
	};
}

function carry(connection: Connection, traps: ReplyTrap[], closed: () => void): void {
	const { client, server, requests, replies } = connection;
	let sprung: (() => void) | undefined;

	client.on("data", (chunk: Buffer) => {
		const index = sprung ? -1 : traps.findIndex((trap) => trap.matches(chunk));
		if (index >= 0) sprung = traps.splice(index, 1)[0]?.sprung;
		requests.push(chunk);
	});
	server.on("data", (chunk: Buffer) => {
		if (!sprung) return replies.push(chunk);
		replies.discard();
		client.destroy();
		// Half-closed, not reset: the server still executes what it has received.
		requests.end();
	});
	client.on("end", () => requests.end());
	server.on("end", () => replies.end());
	client.on("error", () => server.destroy());
	server.on("error", () => client.destroy());
	client.on("close", () => {
		replies.discard();
		if (!sprung) server.destroy();
	});
	server.on("close", () => {
		requests.discard();
		closed();
		sprung?.();
		if (sprung) client.destroy();
	});
}
