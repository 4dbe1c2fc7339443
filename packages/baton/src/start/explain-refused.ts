import type { Config } from "../config/config";
import { type Address, type AddressError, refusalOf } from "../http/address";
import { addressesOf } from "./addresses";
import { StartError } from "./start-error";

/** How many ports after a taken one are looked at for a free one. */
const LOOKED_AT = 50;

/**
 * Says which addresses cannot be had, and the way out for each: all of them at once, for nobody wants
 * to hear of the second when the first is put right. This process must listen on none of them any more.
 */
export async function explainRefused(first: AddressError, config: Config): Promise<StartError> {
	const { web, gateway, a2a } = addressesOf(config);
	const addresses = [web, gateway, ...(a2a ? [a2a] : [])];
	const offered = new Set(addresses.map(({ port }) => port));
	const reasons = new Set<string>();
	for (const address of addresses) {
		const error = isSame(address, first.address) ? first : await refusalOf(address);
		if (error) reasons.add(await explain(error, offered));
	}
	return new StartError([...reasons].join("\n"), { cause: first });
}

function isSame(one: Address, other: Address): boolean {
	return one.variables.port === other.variables.port;
}

/** `offered` are ports that this start wants itself, or that were named as a way out already. */
async function explain(error: AddressError, offered: Set<number>): Promise<string> {
	const { host, port, variables } = error.address;
	switch (error.code) {
		case "EADDRINUSE": {
			const free = await freePort(error.address, offered);
			return `Port ${port} on ${host} is taken by another process. Stop that one, or choose another port: ${variables.port}=${free}.`;
		}
		case "EACCES":
			return `This user may not listen on ${host}:${port}. Choose a port above 1023: ${variables.port}=${await freePort({ ...error.address, port: 2_999 }, offered)}.`;
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
			return `${host} is not an address of this machine. Correct ${variables.host}; 127.0.0.1 always works.`;
		default:
			return error.message;
	}
}

/** The next one that is free; any (0) where there is none near. */
async function freePort(after: Address, offered: Set<number>): Promise<number> {
	const last = Math.min(after.port + LOOKED_AT, 65_535);
	for (let port = after.port + 1; port <= last; port++) {
		if (offered.has(port) || (await refusalOf({ ...after, port }))) continue;
		offered.add(port);
		return port;
	}
	return 0;
}
