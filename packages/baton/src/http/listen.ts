import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Address, AddressError } from "./address";

export interface Listening {
	server: Server;
	/** The port in use, also when any was asked for. */
	port: number;
	/** Where this machine reaches the server. */
	url: string;
}

/** Listens, or rejects with an `AddressError`. */
export async function listen(listener: RequestListener, address: Address): Promise<Listening> {
	const { host, port } = address;
	const server = createServer(listener);
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error) => reject(new AddressError(address, error)));
		server.listen(port, host, () => resolve());
	});
	// From here on an error concerns one connection.
	server.removeAllListeners("error").on("error", () => {});
	const actual = (server.address() as AddressInfo).port;
	return { server, port: actual, url: urlOf(host, actual) };
}

/** An address to connect to: one that means "everywhere" is reached on loopback. */
export function urlOf(host: string, port: number): string {
	if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
	if (host === "::" || host === "[::]") return `http://[::1]:${port}`;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
