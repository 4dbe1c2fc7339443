import { fileURLToPath } from "node:url";
import { type NodeProcess, spawnNode } from "@baton/testkit";

/** `npm run test:full` runs every count in full; `npm test` a short form of the same. */
export function shortOrFull(short: number, full: number): number {
	return process.env.BATON_FULL ? full : short;
}

/** Starts a program of `fixtures/`. It uses the built package, as any user would. */
export function startFixture(name: string, ...args: (string | number)[]): NodeProcess {
	const path = fileURLToPath(new URL(`./fixtures/${name}.mjs`, import.meta.url));
	return spawnNode(path, { args: args.map(String) });
}
