import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Makers } from "./makers";

/**
 * Connections and answers of every server in this process, by port. Node itself tells of them, so a
 * door need not.
 */
export class SocketFigures {
	readonly #sockets;
	readonly #answering;

	constructor(make: Makers) {
		this.#sockets = make.gauge("baton_sockets", "Connections that are open, WebSockets included.", [
			"port",
		]);
		this.#answering = make.gauge(
			"baton_http_answers",
			"HTTP requests that are being answered, streams included.",
			["port"],
		);
		subscribe("net.server.socket", this.#onSocket);
		subscribe("http.server.request.start", this.#onRequest);
	}

	close(): void {
		unsubscribe("net.server.socket", this.#onSocket);
		unsubscribe("http.server.request.start", this.#onRequest);
	}

	readonly #onSocket = (message: unknown): void => {
		const { socket } = message as { socket: Socket };
		const port = { port: String(socket.localPort ?? "") };
		this.#sockets.inc(port);
		socket.once("close", () => this.#sockets.dec(port));
	};

	readonly #onRequest = (message: unknown): void => {
		const { socket, response } = message as { socket: Socket; response: ServerResponse };
		const port = { port: String(socket.localPort ?? "") };
		this.#answering.inc(port);
		response.once("close", () => this.#answering.dec(port));
	};
}
