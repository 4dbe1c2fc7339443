import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a program on PATH, or undefined. */
export function findBinary(name: string): string | undefined {
	return (process.env.PATH ?? "")
		.split(delimiter)
		.map((folder) => join(folder, name))
		.find(isExecutable);
}

/**
 * Whether a system part that tests need is there: `describe.skipIf(!requirePart("redis-server"))`.
 * With CI=true a missing part is an error, so that no test is skipped unseen.
 */
export function requirePart(name: string): boolean {
	if (findBinary(name)) return true;
	if (process.env.CI === "true") {
		throw new Error(`${name} is not on PATH. With CI=true the tests that need it must run.`);
	}
	return false;
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
