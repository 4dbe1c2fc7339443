import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StartError } from "../start/start-error";

export interface Listening {
	server: Server;
	/** The port in use, also when any was asked for. */
	port: number;
	/** Where this machine reaches the server. */
	url: string;
}

interface ListenOptions {
	host: string;
	/** 0: any free one. */
	port: number;
	/** The settings that a person corrects when this address cannot be had. */
	variables?: { host: string; port: string };
}

/** Listens, or says why that is not possible and what to do. */
export async function listen(
	listener: RequestListener,
	{ host, port, variables = { host: "BATON_HOST", port: "BATON_PORT" } }: ListenOptions,
): Promise<Listening> {
	const server = createServer(listener);
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) =>
			reject(explain(error, host, port, variables)),
		);
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

function explain(
	error: NodeJS.ErrnoException,
	host: string,
	port: number,
	variables: { host: string; port: string },
): StartError {
	const where = `${host}:${port}`;
	switch (error.code) {
		case "EADDRINUSE":
			return new StartError(
				`Port ${port} on ${host} is taken by another process. Stop that one, or choose another port: ${variables.port}=${port < 65_535 ? port + 1 : 3000}.`,
			);
		case "EACCES":
			return new StartError(
				`This user may not listen on ${where}. Choose a port above 1023: ${variables.port}=3000.`,
			);
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
			return new StartError(
				`${host} is not an address of this machine. Correct ${variables.host}; 127.0.0.1 always works.`,
			);
		default:
			return new StartError(`Cannot listen on ${where}: ${error.message}.`);
	}
}
