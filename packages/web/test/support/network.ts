import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The way between a browser and its server: it can be cut, and lead to another server. */
export interface Network {
	readonly url: string;
	/** Breaks every connection, and lets nobody through until `restore`. */
	cut(): void;
	restore(): void;
	/** Breaks every connection; the next ones lead to another server. */
	moveTo(url: string): void;
	close(): Promise<void>;
}

export async function openNetwork(to: string): Promise<Network> {
	let target = Number(new URL(to).port);
	let isCut = false;
	const sockets = new Set<Socket>();
	const listener = createServer({ noDelay: true }, (client) => {
		if (isCut) {
			client.destroy();
			return;
		}
		const server = connect({ port: target, host: "127.0.0.1", noDelay: true });
		for (const [socket, other] of [
			[client, server],
			[server, client],
		] as const) {
			sockets.add(socket);
			socket.on("error", () => {});
			socket.on("close", () => {
				sockets.delete(socket);
				other.destroy();
			});
			socket.pipe(other);
		}
	});
	listener.listen(0, "127.0.0.1");
	await once(listener, "listening");
	const breakAll = () => {
		for (const socket of sockets) socket.resetAndDestroy();
	};
	return {
		url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
		cut() {
			isCut = true;
			breakAll();
		},
		restore() {
			isCut = false;
		},
		moveTo(url) {
			target = Number(new URL(url).port);
			breakAll();
		},
		async close() {
			breakAll();
			listener.close();
			await once(listener, "close");
		},
	};
}
