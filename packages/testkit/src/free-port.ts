import { createServer } from "node:net";

/*
 * Ports are drawn below Linux's ephemeral range (32768 and up), bus port included, so that no
 * outgoing connection takes one between the check and its use.
 */
const FIRST = 12_000;
const COUNT = 10_000;
const BUS_OFFSET = 10_000;
const ATTEMPTS = 100;

const handedOut = new Set<number>();

/** A loopback port that nothing listens on; never the same one twice in a process. */
export async function freePort(): Promise<number> {
	return findPort(isFree);
}

/** A free port whose Redis Cluster bus port (10,000 above it) is free too. */
export async function freeClusterPort(): Promise<number> {
	return findPort(async (port) => (await isFree(port)) && isFree(port + BUS_OFFSET));
}

async function findPort(usable: (port: number) => Promise<boolean>): Promise<number> {
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const port = FIRST + Math.floor(Math.random() * COUNT);
		if (handedOut.has(port)) continue;
		handedOut.add(port);
		if (await usable(port)) return port;
	}
	throw new Error(`No free port in ${ATTEMPTS} attempts from ${FIRST} to ${FIRST + COUNT - 1}.`);
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", () => resolve(false));
		server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
	});
}
