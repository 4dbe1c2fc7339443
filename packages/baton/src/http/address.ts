import { createServer } from "node:net";
import { StartError } from "../start/start-error";

/** Where a server listens. */
export interface Address {
	host: string;
	/** 0: any free one. */
	port: number;
	/** The settings that a person corrects when this address cannot be had. */
	variables: { host: string; port: string };
}

/** An address that cannot be had. */
export class AddressError extends StartError {
	readonly address: Address;
	/** As Node.js has it: `EADDRINUSE`, `EACCES` … */
	readonly code: string;

	constructor(address: Address, error: NodeJS.ErrnoException) {
		super(`Cannot listen on ${address.host}:${address.port}: ${error.message}.`, { cause: error });
		this.address = address;
		this.code = error.code ?? error.message;
	}
}

/** Why nobody could listen there now; null when one could. */
export function refusalOf(address: Address): Promise<AddressError | null> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", (error) => resolve(new AddressError(address, error)));
		server.listen(address.port, address.host, () => server.close(() => resolve(null)));
	});
}
