import { setMaxListeners } from "node:events";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { SharedFrames } from "../chat/session-frames";
import { getSessionsDir } from "../data-dir";
import { AuthLimiter } from "./auth-limiter";
import { checkUpgrade } from "./check-upgrade";
import { CLOSE } from "./close-codes";
import { Connection } from "./connection";
import { Connections } from "./connections";
import type { GatewayOptions } from "./gateway-options";
import { DEFAULT_LIMITS } from "./limits";
import { agentsList } from "./methods/agents";
import { chatAbort, chatHistory, chatSend } from "./methods/chat";
import { healthCheck, healthOf, hello } from "./methods/health";
import { registry } from "./methods/registry";
import { sessionsDelete, sessionsFork, sessionsPatch } from "./methods/session-changes";
import { sessionsSearch } from "./methods/session-search";
import { sessionsCreate, sessionsGet, sessionsList } from "./methods/sessions";
import { chatSubscribe, chatUnsubscribe, chatWait } from "./methods/subscriptions";
import { Owners } from "./owner-parts";
import { SocketHandler } from "./socket-handler";

registry.register("hello", hello);
registry.register("health.check", healthCheck);
registry.register("agents.list", agentsList);
registry.register("sessions.create", sessionsCreate);
registry.register("sessions.list", sessionsList);
registry.register("sessions.get", sessionsGet);
registry.register("sessions.patch", sessionsPatch);
registry.register("sessions.delete", sessionsDelete);
registry.register("sessions.fork", sessionsFork);
registry.register("sessions.search", sessionsSearch, { aside: true });
registry.register("chat.send", chatSend);
registry.register("chat.history", chatHistory);
registry.register("chat.abort", chatAbort);
registry.register("chat.subscribe", chatSubscribe);
registry.register("chat.unsubscribe", chatUnsubscribe);
registry.register("chat.wait", chatWait, { aside: true });

export interface Gateway {
	/** Answers plain HTTP: `GET /health`. */
	readonly listener: RequestListener;
	/** Takes the WebSockets of a server. */
	attach(server: Server): void;
	/** Refuses new sockets from now on; those that are there go on. */
	stopAccepting(): void;
	/** Tells every client to come back, waits for what is under way, then cuts what is left. */
	finish(graceMs: number): Promise<void>;
}

/** The gateway, for a server of Node's: `listener` for its requests, `attach` for its sockets. */
export function createGateway(options: GatewayOptions): Gateway {
	const limits = { ...DEFAULT_LIMITS, ...options.limits };
	const rules = { origins: options.origins ?? [], hosts: options.hosts ?? [] };
	const sessionsDir = options.sessionsDir ?? getSessionsDir();
	const connections = new Connections(limits, options.tokens);
	const limiter = new AuthLimiter(limits);
	const stop = new AbortController();
	// Every turn that is followed listens to it.
	setMaxListeners(0, stop.signal);
	let accepting = true;
	const parts = {
		options,
		owners: new Owners({ ...options, sessionsDir }),
		limiter,
		shared: new SharedFrames(),
		isDraining: () => !accepting,
		stopping: stop.signal,
	};
	const sockets = new WebSocketServer({
		noServer: true,
		maxPayload: limits.frameBytes,
		perMessageDeflate: false,
		clientTracking: false,
	});

	async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
		// Until it is a WebSocket, nobody else listens for its errors.
		socket.on("error", ignore);
		const from = addressOf(request);
		const refusal = checkUpgrade(request, rules);
		if (refusal) return refuse(socket, refusal.status, refusal.message);
		if (!accepting) return refuse(socket, 503, "The server is stopping; come back.");
		if (!connections.hasRoom(from.address)) {
			return refuse(socket, 429, "Too many sockets of this address.");
		}
		if ((await limiter.lockedFor(from.caller)) > 0) {
			return refuse(socket, 429, "Too many wrong tokens; try again later.");
		}
		sockets.handleUpgrade(request, socket, head, (ws) => {
			socket.off("error", ignore);
			accept(ws, request.socket, from);
		});
	}

	function accept(ws: WebSocket, socket: Socket, from: ReturnType<typeof addressOf>): void {
		const connection = new Connection(ws, socket, from, limits);
		const handler = new SocketHandler(connection, parts);
		connections.add(connection);
		limitUntilAuthenticated(connection, socket);
		const alive = () => connection.showsLife();
		ws.on("message", (data, isBinary) => {
			alive();
			handler.take(data, isBinary);
		});
		ws.on("pong", alive);
		ws.on("error", ignore);
		ws.on("close", () => {
			connections.remove(connection);
			handler.close();
		});
	}

	return {
		listener(request, response) {
			const path = (request.url ?? "").split("?")[0];
			const known = path === "/health" && (request.method === "GET" || request.method === "HEAD");
			const body = known
				? {
						...healthOf(),
						...(!accepting && { status: "stopping" }),
						service: "baton-gateway",
					}
				: { error: "This is a WebSocket gateway. GET /health says how it is." };
			response.writeHead(known ? (accepting ? 200 : 503) : 404, {
				"Content-Type": "application/json; charset=utf-8",
				"Cache-Control": "no-store",
			});
			response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
		},
		attach(server) {
			server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
				upgrade(request, socket, head).catch((error: unknown) => {
					options.log.warn({ error }, "A socket could not be opened.");
					socket.destroy();
				});
			});
		},
		stopAccepting() {
			accepting = false;
		},
		async finish(graceMs) {
			accepting = false;
			for (const { ws } of connections.all) ws.close(CLOSE.restart, "The server stops; come back.");
			const closed = Promise.all([...connections.all].map(({ ws }) => whenClosed(ws)));
			await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
			for (const { ws } of connections.all) ws.terminate();
			connections.stop();
			stop.abort();
		},
	};
}

function ignore(): void {}

function addressOf(request: IncomingMessage): { address: string; caller: string } {
	const address = request.socket.remoteAddress ?? "unknown";
	// Any program can name a new origin each time, so pages are counted together.
	const kind = request.headers.origin === undefined ? "program" : "page";
	return { address, caller: `${address} ${kind}` };
}

/** A stranger cannot make the server hold more than this, however it cuts its frames. */
function limitUntilAuthenticated(connection: Connection, socket: Socket): void {
	const before = socket.bytesRead;
	const count = () => {
		if (connection.owner !== null) socket.off("data", count);
		else if (socket.bytesRead - before > connection.limits.preAuthBytes) {
			socket.off("data", count);
			connection.refuse(CLOSE.tooLarge, "Too much before authentication.");
		}
	};
	socket.on("data", count);
}

/** How long a refused caller may take to read why. */
const REFUSAL_MS = 2_000;

function refuse(socket: Duplex, status: number, message: string): void {
	const body = JSON.stringify({ error: message });
	// The server's sockets stay half open for as long as the other end likes.
	const late = setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
	socket.once("finish", () => socket.destroy()).once("close", () => clearTimeout(late));
	socket.end(
		`HTTP/1.1 ${status} ${status === 403 ? "Forbidden" : "Refused"}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
	);
}

function whenClosed(ws: WebSocket): Promise<void> {
	return new Promise((resolve) => {
		if (ws.readyState === ws.CLOSED) resolve();
		else ws.once("close", () => resolve());
	});
}
